"""The table of kernels, on small workspaces."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mkls.facts.metal import metal_facts
from mkls.facts.model.metal import MetalFacts
from mkls.index import kernels_memo
from mkls.index.kernels import KernelIndex, KernelMemo, kernel_index
from mkls.index.kernels_expansion import expansion_at
from mkls.index.kernels_link import Kernel
from mkls.text.document import Uri
from tests.syntax.metal.test_metal_items import METALLIC

ROOT = Uri("file:///w")


def uri(path: str) -> Uri:
    return Uri(f"{ROOT}/{path}")


def documents(files: dict[str, str]) -> dict[Uri, MetalFacts]:
    return {uri(path): metal_facts(text) for path, text in files.items()}


def index_of(files: dict[str, str], memo: KernelMemo | None = None) -> KernelIndex:
    return kernel_index(documents(files), ROOT, memo=memo)


def only(text: str) -> Kernel:
    (kernel,) = index_of({"a.metal": text}).kernels_of(uri("a.metal"))
    return kernel


SCALE = """\
template <typename T, typename U = float>
kernel void scale(
    device T* output,
    constant vec<T, 2>* input,
    constant U& factor,
    uint index [[thread_position_in_grid]]) {
  output[index] = input[index].x * factor;
}
#define REGISTER_SCALE(NAME, T)                              \\
  template [[host_name(#NAME "_" #T)]] kernel void scale<T>( \\
      device T*, constant vec<T, 2>*, constant float&, uint);
"""


def test_a_registration_line() -> None:
    text = SCALE + "REGISTER_SCALE(scale, half);\n"
    kernel = only(text)
    assert (kernel.host_name, kernel.function) == ("scale_half", "scale")
    assert kernel.span.of(text) == "REGISTER_SCALE(scale, half)"
    assert kernel.name_span is not None
    assert kernel.name_span.of(text) == "scale"
    assert (kernel.macro, kernel.macro_arguments) == ("REGISTER_SCALE", ("scale", "half"))
    assert kernel.template_arguments == ("half",)
    assert kernel.primary is not None
    assert kernel.primary.uri == uri("a.metal")
    assert kernel.primary.span.start == text.index("scale(")
    assert kernel.versions == (310, 320, 400)
    found = [(it.name.text, it.type, it.kind, it.index, it.access) for it in kernel.arguments]
    assert found == [
        ("output", "device half *", "buffer", 0, "write"),
        ("input", "constant vec<half, 2> *", "buffer", 1, "read"),
        ("factor", "constant float &", "buffer", 2, "read"),
        ("index", "uint", "builtin", None, ""),
    ]


def test_a_decltype_instantiation_takes_its_types_from_the_template() -> None:
    text = SCALE + 'template [[host_name("s")]] [[kernel]] decltype(scale<int>) scale<int>;'
    kernel = only(text)
    assert kernel.span.of(text) == "s"
    assert [it.type for it in kernel.arguments] == [
        "device int *",
        "constant vec<int, 2> *",
        "constant float &",
        "uint",
    ]
    assert kernel.arguments[3].attribute == "thread_position_in_grid"


def test_a_plain_kernel_is_asked_for_by_its_name() -> None:
    text = "kernel void plain(device float* x [[buffer(0)]]) {}\nkernel void declared(uint i);\n"
    kernel = only(text)
    assert (kernel.host_name, kernel.function, kernel.span.of(text)) == ("plain",) * 3
    assert kernel.macro == ""


def test_a_macro_can_make_whole_kernels() -> None:
    text = "#define FILL(T) kernel void fill_##T(device T* out [[buffer(0)]]) { out[0] = 0; }\n"
    kernel = only(text + "FILL(float)\n")
    assert (kernel.host_name, kernel.arguments[0].type) == ("fill_float", "device float *")


def test_the_body_that_a_macro_makes_is_looked_into() -> None:
    text = "#define FILL(T) kernel void fill_##T(device T* out, device T* in) { *out = in[0]; }\n"
    assert [it.access for it in only(text + "FILL(float)\n").arguments] == ["write", "read"]


def test_tables_between_macros_hurt_nothing() -> None:
    text = (
        "#define TABLE(T, name, n) constant T name[n] = {\n#define END() };\n"
        "TABLE(uint, grid, 2)\n  0x01, 0x02\nEND()\n"
        "TABLE(uint, signs, 2)\n  -1, 2,\nEND()\n\n"
        "template <typename T> kernel void k(device T* x) {}\n"
        "typedef decltype(k<float>) k_t;\n"
        'template [[host_name("k_f")]] kernel k_t k<float>;\n'
    )
    assert [it.type for it in only(text).arguments] == ["device float *"]


def test_invocations_need_no_semicolons() -> None:
    text = (
        "#define make(name, func, ...) template [[host_name(name)]] [[kernel]] "
        "decltype(func<__VA_ARGS__>) func<__VA_ARGS__>;\n"
        '#define make_all(op, tname, T) make(#op "_" #tname, op, T, 2) '
        'make("v" #op #tname, op, T, 4)\n'
        "template <typename T, int N> [[kernel]] void add(device const T* a, device T* b, "
        "constant const int shape[N], uint i [[thread_position_in_grid]]) { b[i] = a[i]; }\n"
        "make_all(add, f32, float)\nmake_all(add, u8, uint8_t) // clang-format on\n"
    )
    kernels = index_of({"a.metal": text}).kernels_of(uri("a.metal"))
    assert [it.host_name for it in kernels] == ["add_f32", "vaddf32", "add_u8", "vaddu8"]
    assert [(it.type, it.index) for it in kernels[3].arguments] == [
        ("device const uint8_t *", 0),
        ("device uint8_t *", 1),
        ("constant const int [4]", 2),
        ("uint", None),
    ]


def test_macros_within_a_signature_are_expanded() -> None:
    text = (
        '#define SUFFIX "_f"\n#define ARGS(T) device T* x, uint i\n'
        "template <typename T> kernel void k(device T* x, uint i [[thread_position_in_grid]]) {}\n"
        'template [[host_name("k" SUFFIX)]] kernel void k<float>(ARGS(float));\n'
    )
    kernel = only(text)
    assert kernel.host_name == "k_f"
    assert [it.type for it in kernel.arguments] == ["device float *", "uint"]


def test_the_overload_that_fits_is_the_primary() -> None:
    text = (
        "template <typename T> kernel void k(device T* a) {}\n"
        "template <typename T> kernel void k(device T* a, constant T& b) {}\n"
        'template [[host_name("two")]] kernel void k<int>(device int*, constant int&);\n'
    )
    kernel = only(text)
    assert kernel.primary is not None
    assert kernel.primary.span.start == text.index("k(device T* a, ")
    assert [it.name.text for it in kernel.arguments] == ["a", "b"]


def test_a_forward_declaration_gives_way_to_the_definition() -> None:
    text = (
        "template <typename T> kernel void k(device T* a, uint i);\n"
        'template [[host_name("k_int")]] kernel void k<int>(device int*, uint);\n'
        "template <typename T> kernel void k(device T* a, uint i [[thread_position_in_grid]]) {}\n"
    )
    assert only(text).arguments[1].attribute == "thread_position_in_grid"


def test_versions() -> None:
    text = (
        SCALE + "#if __METAL_VERSION__ >= 320\nREGISTER_SCALE(a, int);\n"
        "#else\nREGISTER_SCALE(a, long);\n#endif\n"
        "#if defined(__METAL__) && __METAL_VERSION__ >= 400\nREGISTER_SCALE(a, short);\n#endif\n"
        "#ifdef __OBJC__\nREGISTER_SCALE(a, char);\n#endif\n"
    )
    index = index_of({"a.metal": text})
    assert {it.host_name: it.versions for it in index.kernels_of(uri("a.metal"))} == {
        "a_int": (320, 400),
        "a_long": (310,),
        "a_short": (400,),
    }


HEADER = "c10/metal/scale.h"


@pytest.mark.parametrize(
    ("include", "path"),
    [
        ('"scale.h"', "kernels/scale.h"),
        ('"../scale.h"', "scale.h"),
        ("<c10/metal/scale.h>", "c10/metal/scale.h"),
        ("<ATen/scale.h>", "aten/src/ATen/scale.h"),
        ("<c10/metal/scale.h>", "vendored/torch/include/c10/metal/scale.h"),
    ],
)
def test_includes_are_followed(include: str, path: str) -> None:
    text = f"#include {include}\nREGISTER_SCALE(scale, half);\n"
    index = index_of({"kernels/a.metal": text, path: "#pragma once\n" + SCALE})
    (kernel,) = index.by_host_name["scale_half"]
    assert (kernel.uri, kernel.unit) == (uri("kernels/a.metal"),) * 2
    assert kernel.primary is not None
    assert kernel.primary.uri == uri(path)
    assert index.complete


def test_extra_include_roots_come_after_the_workspace() -> None:
    files = {"a.metal": "#include <x/y.h>\n", "one/x/y.h": "ONE", "two/x/y.h": "TWO"}
    memo = KernelMemo(ROOT, [uri("two")])
    index = kernel_index(documents(files), memo=memo)
    assert [it.name for it in index.incomplete.get(uri("a.metal"), ())] == []
    assert uri("two/x/y.h") in index.units[uri("a.metal")].visited


def test_what_is_not_at_hand_makes_a_source_incomplete() -> None:
    text = "#include <metal_stdlib>\n#include <c10/metal/indexing.h>\nREGISTER_UNARY_OP(a, int);\n"
    index = index_of({"a.metal": text, "b.metal": "kernel void k(device int* x) {}"})
    assert not index.complete
    assert [(it.name, it.span.of(text)) for it in index.incomplete[uri("a.metal")]] == [
        ("c10/metal/indexing.h", "c10/metal/indexing.h"),
        ("REGISTER_UNARY_OP", "REGISTER_UNARY_OP"),
    ]
    assert index.units[uri("b.metal")].complete


def test_an_include_of_another_branch_is_not_missed() -> None:
    text = "#ifdef __METAL__\n#include <metal_array>\n#else\n#include <array>\n#endif\n"
    assert index_of({"a.metal": text}).complete


def test_a_header_registers_in_each_source_that_includes_it() -> None:
    header = "#pragma once\n" + SCALE + "REGISTER_SCALE(scale, half);\n"
    files = {
        HEADER: header,
        "a.metal": f"#include <{HEADER}>\n#include <{HEADER}>\n",
        "b.metal": f"#include <{HEADER}>\nkernel void own(device int* x) {{}}\n",
    }
    index = index_of(files)
    assert [it.unit for it in index.by_host_name["scale_half"]] == [uri("a.metal"), uri("b.metal")]
    assert list(index.duplicates) == ["scale_half"]
    assert [it.host_name for it in index.kernels_of(uri("b.metal"))] == ["scale_half", "own"]
    assert [it.host_name for it in index.kernels_of(uri(HEADER))] == ["scale_half"]


def test_a_header_that_nobody_includes_stands_for_itself() -> None:
    index = index_of({HEADER: SCALE + "REGISTER_SCALE(scale, half);\n"})
    assert not index.by_host_name
    assert [it.host_name for it in index.kernels_of(uri(HEADER))] == ["scale_half"]
    assert index.kernels_of(uri("nowhere.h")) == ()


def test_the_same_name_for_different_versions_is_no_duplicate() -> None:
    text = SCALE + (
        "#if __METAL_VERSION__ >= 400\nREGISTER_SCALE(a, int);\n#else\n"
        "REGISTER_SCALE(a, int);\n#endif\n"
    )
    index = index_of({"a.metal": text})
    assert len(index.by_host_name["a_int"]) == 2
    assert not index.duplicates


def test_families() -> None:
    text = SCALE + (
        "#define BOTH(OP) REGISTER_SCALE(OP##_op, float) REGISTER_SCALE(OP##_op, half)\n"
        "BOTH(sin);\nREGISTER_SCALE(cos, int);\n"
    )
    families = index_of({"a.metal": text}).families
    assert families["BOTH"].patterns == ("{OP}_op_float", "{OP}_op_half")
    scale = families["REGISTER_SCALE"]
    assert (scale.parameters, scale.patterns) == (("NAME", "T"), ("{NAME}_{T}",))
    assert scale.names({"NAME": "cos", "T": "int"}) == ("cos_int",)
    assert scale.definition is not None
    assert scale.definition.span.of(text) == "REGISTER_SCALE"


def test_registered_names() -> None:
    text = SCALE + "".join(f"REGISTER_SCALE({name}, int);\n" for name in ("b", "ab", "a", "c"))
    index = index_of({"a.metal": text})
    assert index.registered_names("a") == ["a_int", "ab_int"]
    assert index.registered_names() == ["a_int", "ab_int", "b_int", "c_int"]


def test_functors_that_macros_define() -> None:
    text = (
        "#define DEFINE(NAME) struct NAME##_functor { template <typename T> "
        "enable_if_t<is_integral_v<T>, float> operator()(const T x) { return NAME(x); } };\n"
        "DEFINE(exp);\nstruct sin_functor { float operator()(float x) { return sin(x); } };\n"
    )
    functors = index_of({"a.metal": text}).units[uri("a.metal")].functors
    assert sorted(functors) == ["exp_functor", "sin_functor"]
    assert functors["exp_functor"].span.of(text) == "DEFINE(exp)"
    (call,) = functors["exp_functor"].functor.calls
    assert (call.returns, call.condition) == ("float", "is_integral_v<T>")


def test_an_expansion_is_shown_with_its_makers() -> None:
    text = SCALE + "#define TWICE(N) REGISTER_SCALE(N, float) REGISTER_SCALE(N, half)\nTWICE(a);\n"
    index = index_of({"a.metal": text})
    found = expansion_at(index, uri("a.metal"), text.rindex("TWICE") + 2)
    assert found is not None
    assert found.host_names == ("a_float", "a_half")
    assert found.macros == ("TWICE", "REGISTER_SCALE")
    assert len(found.text.splitlines()) == 2
    assert found.pieces[0].through == ("TWICE", "REGISTER_SCALE")
    assert expansion_at(index, uri("a.metal"), 3) is None


def test_an_expansion_uses_the_macros_in_force_there() -> None:
    text = "#define F(x) one(x)\nF(1);\n#undef F\n#define F(x) two(x)\nF(1);\n"
    index = index_of({"a.metal": text})
    first = expansion_at(index, uri("a.metal"), text.index("F(1)"))
    second = expansion_at(index, uri("a.metal"), text.rindex("F(1)"))
    assert first is not None
    assert second is not None
    assert (first.text, second.text) == ("one(1)", "two(1)")


@pytest.fixture
def expansions(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The invocations expanded from now on."""
    seen: list[str] = []
    real = kernels_memo.expand

    def counted(text: str, macros: dict[str, kernels_memo.Macro]) -> kernels_memo.Expanded:
        seen.append(text)
        return real(text, macros)

    monkeypatch.setattr(kernels_memo, "expand", counted)
    return seen


def test_only_what_changed_is_expanded_again(expansions: list[str]) -> None:
    lines = "".join(f"REGISTER_SCALE(f{number}, int);\n" for number in range(20))
    files = {"a.metal": SCALE + lines, "b.metal": SCALE + "REGISTER_SCALE(b, int);\n"}
    memo = KernelMemo(ROOT)
    facts = documents(files)
    first = kernel_index(facts, memo=memo)
    assert len(expansions) == 21
    expansions.clear()
    assert kernel_index(facts, memo=memo) is first
    edited = metal_facts(files["a.metal"].replace("f7, int", "f7, half"))
    second = kernel_index({**facts, uri("a.metal"): edited}, memo=memo)
    assert expansions == ["REGISTER_SCALE(f7, half)"]
    assert "f7_half" in second.by_host_name
    assert second.units[uri("b.metal")] is first.units[uri("b.metal")]


def test_a_changed_macro_expands_its_users_again(expansions: list[str]) -> None:
    text = SCALE + "#define OTHER 1\nREGISTER_SCALE(a, int);\n"
    memo = KernelMemo(ROOT)
    index_of({"a.metal": text}, memo)
    expansions.clear()
    index_of({"a.metal": text.replace("OTHER 1", "OTHER 2")}, memo)
    assert expansions == []
    index = index_of({"a.metal": text.replace('"_"', '"-"')}, memo)
    assert expansions == ["REGISTER_SCALE(a, int)"]
    assert list(index.by_host_name) == ["a-int"]


def test_a_header_that_appears_is_found() -> None:
    files = {"a.metal": f"#include <{HEADER}>\nREGISTER_SCALE(scale, half);\n"}
    memo = KernelMemo(ROOT)
    assert not index_of(files, memo).complete
    index = index_of({**files, HEADER: SCALE}, memo)
    assert index.complete
    assert list(index.by_host_name) == ["scale_half"]


def seen(index: KernelIndex) -> object:
    """Return all that an index says, for comparison."""
    kernels = [
        (it.host_name, it.function, it.uri, it.span, it.unit, it.name_span, it.macro_arguments,
         it.template_arguments, it.versions, it.primary, it.arguments)
        for unit in index.units.values()
        for it in unit.kernels
    ]  # fmt: skip
    return kernels, dict(index.incomplete), dict(index.families), list(index.duplicates)


SOURCE = SCALE + "REGISTER_SCALE(a, int);\n#if A\nREGISTER_SCALE(b, half);\n#endif\n"
EDITS = st.tuples(st.sampled_from(["a.metal", HEADER]), st.integers(0, 560), st.integers(0, 30),
                  METALLIC)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(EDITS, min_size=1, max_size=4))
def test_an_index_forgets_how_it_came_to_be(edits: list[tuple[str, int, int, str]]) -> None:
    files = {
        "a.metal": f"#include <{HEADER}>\n{SOURCE}",
        HEADER: SCALE + "REGISTER_SCALE(h, int);\n",
        "b.metal": f"#include <{HEADER}>\n",
    }
    memo = KernelMemo(ROOT)
    facts = documents(files)
    kernel_index(facts, memo=memo)
    for path, start, length, inserted in edits:
        text = files[path]
        files[path] = text[:start] + inserted + text[start + length :]
        facts = {**facts, uri(path): metal_facts(files[path])}
        kept = kernel_index(facts, memo=memo)
    assert seen(kept) == seen(kernel_index(facts, ROOT))


def test_files_that_include_each_other_end() -> None:
    files = {"a.metal": '#include "b.h"\nint a;\n', "b.h": '#include "a.metal"\n#include "b.h"\n'}
    assert index_of(files).complete
