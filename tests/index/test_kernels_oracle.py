"""The kernels of real PyTorch, against GCC's preprocessor."""

import re
from pathlib import Path

import pytest

from mkls.facts.metal import metal_facts
from mkls.index.kernels import KernelIndex, kernel_index
from mkls.index.kernels_link import Kernel
from mkls.text.document import Uri, uri_of
from tests.syntax.metal.gcc import preprocessed_metal

HOST_NAME = re.compile(r'host_name\(\s*((?:"[^"]*"\s*)+)\)\s*\]\]')
PARAMETERS = re.compile(r"(?:kernel\s+void|void\s+kernel)\b[\s:\w]*(?:<[^()]*>)?\s*\(")
ATTRIBUTE = re.compile(r"\[\[.*?\]\]")
TYPES = ("float", "half", "bfloat", "int", "long", "short", "char", "uchar", "bool", "float2")
FAMILIES = {
    "REGISTER_UNARY_OP(neg, {0}, {0});": 6,
    "REGISTER_UNARY_ALPHA_OP(round_decimals, {0}, long, {0});": 2,
    "REGISTER_BINARY_OP(fmax, {0}, {0});": 13,
    "REGISTER_OPMATH_BINARY_OP(hypot, {0}, float);": 13,
    "REGISTER_BINARY_CASTOUT_OP(eq, {0}, bool);": 1,
    "REGISTER_BINARY_ALPHA_OP(add_alpha, {0}, {0}, {0});": 12,
    "REGISTER_TERNARY_OP(where, {0}, {0});": 4,
    "REGISTER_OPMATH_TERNARY_OP(addcmul, {0}, {0});": 4,
}


def index_of(paths: list[Path], root: Path) -> KernelIndex:
    facts = {uri_of(str(path)): metal_facts(path.read_text("utf-8")) for path in paths}
    return kernel_index(facts, uri_of(str(root)))


def parts(text: str) -> list[str]:
    """Return the parts of `text` up to the parenthesis that closes it, between its commas."""
    depth = 0
    found = [""]
    for character in text:
        depth += (character in "(<[") - (character in ")>]")
        if depth < 0:
            break
        if character == "," and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return [part for part in found if part.strip()]


def instantiations(output: str) -> list[tuple[str, list[str]]]:
    """Return the host names and parameters that preprocessed text registers."""
    found: list[tuple[str, list[str]]] = []
    for match in HOST_NAME.finditer(output):
        name = "".join(re.findall(r'"([^"]*)"', match[1]))
        opening = PARAMETERS.match(output, re.compile(r"\s*").match(output, match.end()).end())
        assert opening, output[match.start() : match.start() + 200]
        written = ATTRIBUTE.sub("", output[opening.end() : opening.end() + 4000])
        found.append((name, parts(written)))
    return found


def compact(text: str) -> str:
    return re.sub(r"\s+", "", text)


def agrees(kernel: Kernel, parameters: list[str]) -> bool:
    """Whether each argument's type is what the preprocessor's text spells before its name."""
    if len(kernel.arguments) != len(parameters):
        return False
    pairs = zip(kernel.arguments, map(compact, parameters), strict=True)
    return all(
        text.startswith(compact(argument.type))
        and re.fullmatch(r"\w*", text.removeprefix(compact(argument.type)))
        for argument, text in pairs
    )


@pytest.fixture(scope="module")
def kernels_2_6(pytorch_tree: Path) -> list[Path]:
    return sorted(pytorch_tree.glob("aten/src/ATen/native/mps/kernels/*.metal"))


def test_the_host_names_of_2_6_are_those_of_gcc(
    kernels_2_6: list[Path], pytorch_tree: Path, tmp_path: Path
) -> None:
    index = index_of(kernels_2_6, pytorch_tree)
    plain: list[str] = []
    for path in kernels_2_6:
        output = preprocessed_metal(path, 310, tmp_path)
        ours = [it for it in index.kernels_of(uri_of(str(path))) if 310 in it.versions]
        named = [it for it in ours if it.host_name != it.function]
        plain += [it.host_name for it in ours if it.host_name == it.function]
        theirs = instantiations(output)
        assert sorted(it.host_name for it in named) == sorted(name for name, _ in theirs)
        parameters = dict(theirs)
        assert [it.host_name for it in named if not agrees(it, parameters[it.host_name])] == []
    assert sorted(plain) == ["kernel_index_offset", "weight_to_int4pack"]
    assert len(index.by_host_name) == 196
    assert index.complete
    assert not index.duplicates


def test_every_kernel_of_2_6_knows_its_template_and_arguments(
    kernels_2_6: list[Path], pytorch_tree: Path
) -> None:
    index = index_of(kernels_2_6, pytorch_tree)
    for kernels in index.by_host_name.values():
        for kernel in kernels:
            assert kernel.primary is not None, kernel.host_name
            for argument in kernel.arguments:
                assert argument.kind, (kernel.host_name, argument)
                assert argument.index is not None or argument.kind == "builtin"


@pytest.fixture(scope="module")
def families(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lines = ["#include <c10/metal/indexing.h>"]
    lines += [line.format(type_) for type_ in TYPES for line in FAMILIES]
    path = tmp_path_factory.mktemp("families") / "Families.metal"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("version", [310, 400])
def test_the_macro_families_of_2_13_give_the_names_that_gcc_gives(
    families: Path, torch_include: Path, tmp_path: Path, version: int
) -> None:
    headers = sorted(torch_include.glob("c10/metal/*.h"))
    index = index_of([families, *headers], torch_include)
    output = preprocessed_metal(families, version, tmp_path, [torch_include])
    theirs = instantiations(output)
    ours = [it for it in index.kernels_of(uri_of(str(families))) if version in it.versions]
    assert [it.host_name for it in ours] == [name for name, _ in theirs]
    assert len(ours) == len(TYPES) * sum(FAMILIES.values())
    pairs = zip(ours, theirs, strict=True)
    assert [it.host_name for it, (_, parameters) in pairs if not agrees(it, parameters)] == []
    assert {len(family.patterns) for family in index.families.values()} == {6, 2, 13, 1, 12, 4}
    assert index.complete


def test_the_registrations_in_headers_of_2_13_are_those_of_gcc(
    torch_include: Path, tmp_path: Path
) -> None:
    names = ("SortTopK.h", "DecodeAttention.h", "PrefillAttention.h")
    source = tmp_path / "All.metal"
    lines = [f"#include <ATen/native/mps/kernels/{name}>\n" for name in names]
    source.write_text("".join(lines), encoding="utf-8")
    headers = [*torch_include.glob("c10/metal/*.h"), *torch_include.glob("ATen/native/mps/**/*.h")]
    index = index_of([source, *headers], torch_include)
    output = preprocessed_metal(source, 400, tmp_path, [torch_include])
    expected = re.findall(HOST_NAME, output)
    ours = index.kernels_of(uri_of(str(source)))
    assert [it.host_name for it in ours] == [
        "".join(re.findall(r'"([^"]*)"', literals)) for literals in expected
    ]
    assert len(ours) > 1000
    assert {Uri(it.uri).rpartition("/")[2] for it in ours} == {"SortMerge.h", "SortRadix.h", *names}
