"""What may be typed, by what is typed already."""

import pytest

from mkls.features.completion.comments import Vocabulary
from mkls.features.completion.completion import completions
from mkls.features.completion.documentation import documentation
from mkls.features.completion.item import Item, ItemKind
from mkls.text.span import Span
from tests.features.ripple import RIPPLE, with_cursor
from tests.support.fixture import parse

WORDS = Vocabulary(("randn", "zeros"), ("pi",), ("float", "half"))


def completed(source, compiler=None):
    fixture = parse(source)
    uri, offset = fixture.place
    found = completions(fixture.snapshot, fixture.snapshot.sources[uri], offset, WORDS, compiler)
    for item in found.items:
        assert item.span.start <= offset <= item.span.end
    return found.items


def labels(source, most=None):
    return [it.label for it in completed(source)][:most]


def inserted(source, label):
    """Return the text of the file once the item called `label` is taken."""
    fixture = parse(source)
    uri, _ = fixture.place
    text = fixture.snapshot.sources[uri].document.text
    item = next(it for it in completed(source) if it.label == label)
    return text[: item.span.start] + item.text + text[item.span.end :]


def row(text):
    """Return the workspace with `text` as its first row."""
    first, rest = RIPPLE.split("\n", 1)
    return f"{first}\n{text}\n\n{rest}"


def new_row(text):
    return row(f"- func: ebb(Tensor self) -> Tensor\n{text}\n")


def test_keys_that_the_row_lacks():
    found = labels(new_row("  variants: function\n  $0"))

    assert found[:2] == ["structured_delegate", "dispatch"]
    assert "variants" not in found
    assert "func" not in found


def test_a_key_is_inserted_with_what_follows_it():
    assert inserted(new_row("  disp$0"), "dispatch").startswith(
        "- func: ebb(Tensor self) -> Tensor\n  dispatch:\n    \n"
    )
    assert inserted(new_row("str$0"), "structured").partition("\n")[2].startswith("  structured: ")


def test_a_new_row_has_a_snippet():
    item = completed(new_row("\n$0"))[0]

    assert (item.label, item.snippet) == (
        "- func: ",
        "- func: ${1:name}(${2:Tensor self}) -> ${3:Tensor}",
    )


def test_dispatch_keys_that_are_free():
    found = labels(new_row("  dispatch:\n    CPU, $0: ebb"))

    assert found[0] == "MPS"
    assert "CPU" not in found
    assert labels(new_row("  dispatch:\n    CUDA, M$0"), 1) == ["MPS"]


def test_functions_that_fit_a_row_come_first():
    source = with_cursor("    MPS: wa", "ve_mps")

    assert labels(source, 1) == ["wave_mps"]
    assert labels(new_row("  dispatch:\n    CPU: ebb_cpu\n    MPS: $0"), 1) == ["ebb_cpu"]
    structured = RIPPLE.replace("CPU, CUDA, MPS: ripple_out", "CPU, CUDA: $0")
    assert labels(structured, 1) == ["ripple_out"]


def test_delegates_are_structured_rows_the_own_first():
    assert labels(with_cursor("structured_delegate: ripple.o", "ut")) == ["ripple.out"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  tags: [core, view_c$0]", ["view_copy"]),
        ("  variants: met$0", ["method", "function, method"]),
        ("  device_check: No$0", ["NoCheck"]),
        ("  structured: $0", ["True"]),
        ("  autogen: $0", ["ebb.out"]),
    ],
)
def test_values_of_keys(text, expected):
    assert labels(new_row(text)) == expected


@pytest.mark.parametrize("schema", ["ebb(Te$0", "ebb(int by, Te$0", "ebb() -> Te$0"])
def test_types_of_a_schema(schema):
    assert labels(row(f"- func: {schema}"), 4) == ["Tensor", "Tensor(a!)", "Tensor?", "Tensor[]"]


def test_codes_in_suppressions():
    assert labels(new_row("  # mkls: ignore[stub, duplicate-host$0]")) == ["duplicate-host-name"]
    assert labels("//- kernels/Ebb.metal\n// mkls: ig$0") == ["ignore", "ignore-file"]


def test_directives_and_the_words_of_their_expressions():
    kernel = "kernel void ebb(device float* out, uint tid [[thread_position_in_grid]]) {}\n"

    def in_comment(text):
        return labels(f"//- kernels/Ebb.metal\n// {text}\n{kernel}")

    assert in_comment("mkls-ex$0") == ["mkls-expect:"]
    assert in_comment("mkls-run: threads=4 $0") == ["group_size"]
    assert in_comment("mkls-arg: $0") == ["out"]
    assert in_comment("mkls-arg: out = rand$0") == ["randn"]
    assert in_comment("mkls-arg: out = zeros(4, dtype=h$0)") == ["half"]
    assert in_comment("mkls-expect: ou$0") == ["out"]
    assert in_comment("mkls-reference: torch.ze$0") == ["torch.zeros"]


def test_kernels_in_a_look_up_and_stems_where_a_dtype_follows():
    whole = with_cursor('getPipelineStateForFunc("rip', 'ple_" + scalar')
    alone = whole.replace('$0ple_" + scalarToMetalTypeString(iter.input())', '$0"')

    assert labels(whole, 2) == ["ripple_", "ripple_again_"]
    assert labels(alone, 2) == ["ripple_again_float", "ripple_again_half"]
    assert "ripple_float" in labels(alone)


def test_stems_for_exec_functions_are_of_their_arity():
    source = """
//- kernels/Ebb.metal
kernel void ebb_dense_float_float(device float* out, constant float* in, uint i [[grid]]) {}
kernel void flow_dense_float_float(
    device float* out, constant float* a, constant float* b, uint i [[grid]]) {}
//- operations/Ebb.mm
void ebb(TensorIteratorBase& iter) { lib.exec_unary_kernel(iter, "$0"); }
"""

    assert labels(source) == ["ebb"]
    assert labels(source.replace("exec_unary", "exec_binary")) == ["flow"]


def test_stubs_and_functions_in_a_registration():
    stub = with_cursor("REGISTER_DISPATCH(rip", "ple_stub")

    assert labels(stub, 1) == ["ripple_stub"]
    assert labels(with_cursor("ripple_stub, &rip", "ple_mps_kernel"), 1) == ["ripple_mps_kernel"]


def test_operators_in_a_library_block():
    source = (
        RIPPLE
        + '//- operations/L.mm\nTORCH_LIBRARY_IMPL(aten, MPS, m) {\n  m.impl("wa$0", f);\n}\n'
    )

    assert labels(source) == ["wave"]


def test_the_host_s_api():
    assert labels("//- operations/E.mm\nvoid f() { lib.getPipe$0; }") == ["getPipelineStateForFunc"]
    item = completed("//- operations/E.mm\nvoid f() { mtl_dispatch1$0 }")[0]
    assert (item.label, item.snippet) == ("mtl_dispatch1DJob", "mtl_dispatch1DJob(${1})")


def test_nothing_is_offered_for_an_argument_that_may_be_anything():
    assert labels("//- operations/E.mm\nvoid f() { g(a, $0); }") == []
    assert labels("//- kernels/E.metal\nvoid f() { fma(a, $0); }") == []
    assert labels('//- operations/E.mm\nvoid f() { g("$0"); }') == []


def test_registration_macros_have_snippets_and_their_arguments():
    text = RIPPLE.replace("REGISTER(ripple, half);", "REG$0")
    item = next(it for it in completed(text) if it.label == "REGISTER")

    assert item.snippet == "REGISTER(${1:NAME}, ${2:T});"
    assert labels(with_cursor("REGISTER(rip", "ple, half)")) == ["ripple"]
    assert labels(with_cursor("REGISTER(ripple, h", "alf)"), 1) == ["half"]


def test_attributes_begin_with_the_lowest_free_number():
    before = "kernel void e(device float* a [[buffer(0)]], device float* b"
    source = f"//- kernels/E.metal\n{before} [[$0]]) {{}}"

    assert labels(source, 2) == ["buffer(1)", "thread_position_in_grid"]
    assert labels(source.replace("$0", "threads_per_s$0")) == ["threads_per_simdgroup"]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("metal::fma$0", ["fma", "fmax", "fmax3"]),
        ("c10::metal::floor_$0", ["floor_divide"]),
        ("mem_flags::mem_dev$0", ["mem_device"]),
        ("simd_is_f$0", ["simd_is_first"]),
        ("ou$0", ["out"]),
        ("out.fma$0", []),
    ],
)
def test_words_of_the_library_and_parameters(typed, expected):
    found = labels(f"//- kernels/E.metal\nkernel void e(device float* out) {{ a = {typed}; }}")

    assert found[: len(expected)] == expected
    assert bool(found) is bool(expected)


def test_a_compiler_takes_the_place_of_the_tables():
    source = "//- kernels/E.metal\nvoid f() { fm$0 }"
    span = Span(11, 13)

    def compiler(_uri, offset):
        return [Item("fmine", ItemKind.METAL_WORD, span)] if offset == 13 else None

    assert [it.label for it in completed(source, compiler)] == ["fmine"]
    assert "fma" in [it.label for it in completed(source, lambda *_: None)]


def test_msl_in_a_string_is_completed_as_msl():
    source = (
        '//- operations/E.mm\nstatic MetalShaderLibrary lib(R"MTL(\n'
        "kernel void e(device float* out [[buffer(0)]]) { out[0] = metal::rsq$0; }\n"
        ')MTL");\n'
    )

    assert labels(source) == ["rsqrt"]


def test_what_fits_is_documented_when_it_is_looked_at():
    snapshot = parse(RIPPLE).snapshot

    def documented(kind, name):
        return documentation(snapshot, kind, name).partition("\n")[0]

    assert documented(ItemKind.DISPATCH_KEY, "MPS").startswith("Dense tensors on Apple's GPU")
    assert documented(ItemKind.SCHEMA_TYPE, "Tensor(a!)").startswith("A tensor")
    assert documented(ItemKind.OPERATOR, "ripple.out") == "# `ripple`"
    assert documented(ItemKind.KERNEL, "ripple_half") == "# `ripple_half`"
    assert documented(ItemKind.HOST_FUNCTION, "wave_mps") == "**`wave_mps`**"
    assert documented(ItemKind.ATTRIBUTE, "buffer(1)") == "**`[[buffer(1)]]`** (attribute)"
    assert documented(ItemKind.METAL_WORD, "rsqrt") == "```cpp"
    assert documented(ItemKind.CODE, "unused-kernel")
    assert documented(ItemKind.STEM, "ripple_") == ""
