"""The generated headers are what their generators write, and the catalogue of tests is complete."""

import re
import runpy
from pathlib import Path

import pytest

from tests.msl.catalogue import cases
from tests.msl.harness import INCLUDE

GENERATORS = sorted((INCLUDE / "mkls").glob("generate_*.py"))

# The functions of MSL 6.2 to 6.6, 6.8 and 6.14, apart from those that tests name through a loop.
TESTED_ELSEWHERE = {
    "all",
    "any",
    "transpose",
    "determinant",
    "dot",
    "cross",
    "length",
    "length_squared",
    "distance",
    "distance_squared",
    "normalize",
    "faceforward",
    "reflect",
    "refract",
    "unpack_unorm4x8_to_float",
    "unpack_snorm4x8_to_float",
    "unpack_unorm4x8_srgb_to_float",
    "unpack_unorm2x16_to_float",
    "unpack_snorm2x16_to_float",
    "unpack_unorm10a2_to_float",
    "unpack_unorm565_to_float",
    "unpack_unorm4x8_to_half",
    "unpack_snorm4x8_to_half",
    "unpack_unorm4x8_srgb_to_half",
    "unpack_unorm2x16_to_half",
    "unpack_snorm2x16_to_half",
    "unpack_unorm10a2_to_half",
    "unpack_unorm565_to_half",
    "pack_float_to_unorm4x8",
    "pack_float_to_snorm4x8",
    "pack_float_to_srgb_unorm4x8",
    "pack_float_to_unorm2x16",
    "pack_float_to_snorm2x16",
    "pack_float_to_unorm10a2",
    "pack_float_to_unorm565",
    "pack_half_to_unorm4x8",
    "pack_half_to_snorm4x8",
    "pack_half_to_srgb_unorm4x8",
    "pack_half_to_unorm2x16",
    "pack_half_to_snorm2x16",
    "pack_half_to_unorm10a2",
    "pack_half_to_unorm565",
    "make_uniform",
    "make_array_ref",
    "array",
    "array_ref",
    "not",
}


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda path: path.stem)
def test_generated_headers_are_current(generator: Path):
    headers = runpy.run_path(str(generator))["headers"]()

    assert len(headers) > 1
    for path, text in headers.items():
        assert path.read_text(encoding="utf-8") == text, (
            f"run: python {path.parent / generator.name}"
        )


def test_every_function_with_a_section_is_tested():
    comment = re.compile(r"// MSL \d[\d., ]*? (\w+)(?=$|:| \(|,| of )", re.MULTILINE)
    texts = [path.read_text(encoding="utf-8") for path in INCLUDE.glob("metal_*")]
    texts += [path.read_text(encoding="utf-8") for path in (INCLUDE / "mkls").glob("*.h")]
    tested = {case.name for case in cases()} | TESTED_ELSEWHERE
    named = {name for text in texts for name in comment.findall(text)}
    runtime = {name for name in named if name.startswith(("simd", "quad", "atomic", "thread"))}

    assert len(named - runtime) > 100
    assert named - runtime - tested - NO_FUNCTIONS == set()


# Words after a section number that open a header's first line.
NO_FUNCTIONS = {
    "the",
    "and",
    "vector",
    "matrix",
    "scalar",
    "operators",
    "operands",
    "selections",
    "integer",
    "math",
    "common",
    "geometric",
    "relational",
    "types",
    "pack",
    "literal",
    "a",
    "an",
    "one",
    "as",
    "names",
    "other",
    "functions",
    "bfloat",
    "arrays",
    "table",
}


def test_no_header_shows_operators_to_ordinary_lookup():
    """With one, clang rejects `v.xy * s` in templates; see the docstring of mkls.msl."""
    operator = re.compile(
        r"^(?!.*\bfriend\b)(?!\s*//).*\boperator ?(?!=\()[-+*/%&|^~!<>=]+ ?\(", re.MULTILINE
    )
    headers = [*INCLUDE.glob("metal_*"), *(INCLUDE / "mkls").glob("*.h")]

    texts = {path.name: _open_to_users(path.read_text(encoding="utf-8")) for path in headers}
    shown = {name: operator.findall(text) for name, text in texts.items()}

    assert {name: found for name, found in shown.items() if found} == {}


def _open_to_users(text: str) -> str:
    """Leave out what only argument-dependent lookup of an enumeration of its own finds.

    That takes a namespace that nobody opens, and operators for two of its enumeration alone.
    """
    return re.sub(
        r"^namespace (mkls_\w+) \{\n\nenum class (\w+).*?^\}  // namespace \1$",
        lambda found: (
            re.sub(rf"operator\S+\({found[2]} \w+, {found[2]} \w+\)", "", found[0])
            if f"using namespace {found[1]}" not in text
            else found[0]
        ),
        text,
        flags=re.DOTALL | re.MULTILINE,
    )


def test_every_header_says_what_it_is():
    headers = [*INCLUDE.glob("metal_*"), *(INCLUDE / "mkls").glob("*.h")]

    assert [
        path.name for path in headers if not path.read_text(encoding="utf-8").startswith("//")
    ] == []
