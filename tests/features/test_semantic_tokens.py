"""What each word is."""

import pytest

from mkls.features.tokens.semantic_tokens import semantic_tokens
from mkls.features.tokens.token import Modifier
from mkls.text.span import Span
from tests.features.ripple import RIPPLE, with_first
from tests.support.fixture import parse


def tokens(source, within=None):
    """Return the tokens of the first file: `text kind modifiers`."""
    fixture = parse(source)
    uri = next(iter(fixture.marked))
    found = fixture.snapshot.sources[uri]
    text = found.document.text
    result = []
    end = 0
    for token in semantic_tokens(fixture.snapshot, found, within):
        assert end <= token.start < token.end <= len(text), "tokens overlap or are empty"
        end = token.end
        modifiers = [str(it.name).lower() for it in Modifier if it and it & token.modifiers]
        kind = token.kind.name.lower()
        result.append(" ".join((text[token.start : token.end], kind, *modifiers)))
    return result


def of_row(line):
    return tokens(f"//- aten/src/ATen/native/native_functions.yaml\n{line}\n")


def of_metal(text):
    return tokens(f"//- kernels/Ebb.metal\n{text}\n")


def test_a_schema_has_types_arguments_and_aliases():
    assert of_row(
        "- func: ebb.out(Tensor self, int[2]? by=0, *, Tensor(a!) out) -> Tensor(a!)"
    ) == [
        "func property",
        "ebb function declaration",
        "out variable",
        "Tensor type",
        "self parameter",
        "int type",
        "by parameter",
        "0 number",
        "* operator",
        "Tensor type",
        "(a!) type_parameter alias",
        "out parameter",
        "-> operator",
        "Tensor type",
        "(a!) type_parameter alias",
    ]


def test_dispatch_lines_have_keys_and_functions_and_apple_s_keys_stand_out():
    text = "- func: ebb(Tensor self) -> Tensor\n  dispatch:\n    CPU, MPS: ebb  # both"

    assert of_row(text)[6:] == [
        "dispatch property",
        "CPU enum_member",
        "MPS enum_member mps",
        "ebb function",
        "# both comment",
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  structured: True", ["structured property", "True keyword"]),
        ("  tags: [core]", ["tags property", "core enum_member"]),
        ("  structured_delegate: a.out", ["structured_delegate property", "a.out function"]),
        ("  structured_inherits: B", ["structured_inherits property", "B type"]),
        ("  autogen: a.out, b", ["autogen property", "a.out function", "b function"]),
    ],
)
def test_values_are_what_their_keys_make_them(line, expected):
    assert of_row(f"- func: a() -> ()\n{line}")[3:] == expected


def test_half_typed_rows_have_tokens():
    assert of_row("- func: ebb(Tensor se") == [
        "func property",
        "ebb function declaration",
        "Tensor type",
        "se parameter",
    ]


def test_address_spaces_attributes_and_parameters():
    assert of_metal(
        "kernel void ebb(device float* out [[buffer(0)]], constant T& n) { out[0]; }"
    ) == [
        "kernel keyword",
        "void type default_library",
        "ebb function kernel",
        "device keyword device",
        "float type default_library",
        "out parameter device",
        "buffer decorator binding",
        "0 number",
        "constant keyword constant",
        "n parameter readonly constant",
        "out parameter device",
        "0 number",
    ]


def test_the_library_and_members():
    assert of_metal("float f(float4 v) { return metal::max(v.x, INFINITY); } // end") == [
        "float type default_library",
        "f function",
        "float4 type default_library",
        "return keyword",
        "metal namespace",
        "max function default_library",
        "x property",
        "INFINITY variable default_library",
        "// end comment",
    ]


def test_functors_templates_and_macros():
    found = tokens(with_first("Ripple.metal"))

    assert found.count("T type_parameter") > 3
    assert "ripple_functor struct" in found
    assert "unary function kernel" in found
    assert found[found.index("half type default_library") - 2 :][:2] == [
        "REGISTER macro",
        "ripple struct",
    ]


def test_host_code_tells_kernels_in_strings_stubs_and_the_api():
    found = tokens(with_first("Ripple.mm"))

    assert "getPipelineStateForFunc function default_library" in found
    at = found.index("ripple_ function kernel")
    assert (found[at - 1], found[at + 1]) == ('" string', '" string')
    assert "ripple_stub variable stub" in found
    assert "wave_mps function mps" in found


def test_a_plain_c_file_has_only_what_links():
    assert tokens(with_first("Ripple.cpp")) == [
        "DEFINE_DISPATCH macro default_library",
        "ripple_stub variable stub",
        "TORCH_IMPL_FUNC macro default_library",
        "ripple_out function mps",
        "ripple_stub variable stub",
    ]


def test_msl_in_a_string_is_msl():
    found = tokens("""
//- operations/Ebb.mm
static MetalShaderLibrary lib(R"MTL(
kernel void ebb(device float* out [[buffer(0)]]) { out[0] = 1; }
)MTL");
""")

    assert found[1] == "lib function"
    assert found[2].startswith('R"MTL(')
    assert "device keyword device" in found
    assert "out parameter device" in found
    assert found[-1].endswith(')MTL" string')


def test_a_range_has_the_tokens_that_touch_it():
    text = RIPPLE.partition("\n")[2].partition("//-")[0]
    start = text.index("    CPU, CUDA, MPS: ripple_out")
    found = tokens(with_first("native_functions.yaml"), Span(start, start + 5))

    assert "ripple function declaration" in found
    assert "wave function declaration" not in found
    whole = tokens(with_first("Ripple.metal"))
    assert tokens(with_first("Ripple.metal"), Span(0, 3)) == whole[:2]
