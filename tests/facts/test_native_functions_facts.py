"""What `native_functions.yaml` states, entry by entry, edit after edit."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkls.facts.model.native_functions import NativeFunctionsFacts, PlacedEntry
from mkls.facts.native_functions import _Recent, native_functions_facts, remember
from mkls.facts.native_functions_entry import entry_of
from mkls.syntax.native_functions.entries import entry_texts

ENTRY = """\
- func: aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
  device_check: NoCheck   # TensorIterator
  structured_delegate: add.out
  variants: function, method
  dispatch:
    SparseCPU, SparseCUDA: add_sparse_
    MPS: at::mps::add_mps_symint
  autogen: add.x, add.x_out
  tags: [core, pointwise]
  python_module: nn
  cpp_no_default_args: ['alpha']
"""
OTHERS = """\
# A comment.

- func: sub(Tensor self) -> Tensor
  tags: core

- func: mul.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  ufunc_inner_loop:
    Generic: mul (AllAndComplex)
    ScalarOnly: mul (Bool)
  precomputed:
  - dim -> int dim
"""
TEXT = OTHERS + "\n" + ENTRY


def entry(text=ENTRY):
    return entry_of(text)


def test_the_operator_is_the_identity_of_a_row():
    row = entry()

    assert (row.operator.text, row.operator.span.of(ENTRY)) == ("add_.Tensor", "add_.Tensor")
    assert (row.namespace, row.base, row.is_inplace) == ("aten", "add", True)
    assert row.func.span.of(ENTRY).startswith("aten::add_.Tensor(Tensor(a!) self")
    assert row.schema.arguments[1].name == "other"
    assert row.schema.arguments[1].span.shifted(row.schema_start).of(ENTRY) == "Tensor other"


def test_dispatch_keys_and_functions_have_their_places():
    sparse, mps = entry().dispatch

    assert [(it.text, it.span.of(ENTRY)) for it in sparse.keys] == [
        ("SparseCPU", "SparseCPU"),
        ("SparseCUDA", "SparseCUDA"),
    ]
    assert (sparse.is_shared, mps.is_shared) == (True, False)
    assert sparse.lines.of(ENTRY) == "    SparseCPU, SparseCUDA: add_sparse_\n"
    assert mps.function.span.of(ENTRY) == "at::mps::add_mps_symint"
    assert entry().key_name("MPS").span.of(ENTRY) == "MPS"
    assert entry().key_name("CUDA") is None


def test_a_function_falls_into_namespace_and_symbol():
    mps = entry().dispatch_lines["MPS"].function
    sparse = entry().dispatch_lines["SparseCPU"].function

    assert (mps.namespace, mps.symbol, mps.takes_symint) == (
        "at::mps::native",
        "add_mps_symint",
        True,
    )
    assert (sparse.namespace, sparse.symbol, sparse.takes_symint) == (
        "at::native",
        "add_sparse_",
        False,
    )


def test_lists_have_a_place_for_each_name():
    row = entry()

    for names, texts in (
        (row.variants, ["function", "method"]),
        (row.autogen, ["add.x", "add.x_out"]),
        (row.tags, ["core", "pointwise"]),
    ):
        assert [it.text for it in names] == [it.span.of(ENTRY) for it in names] == texts
    assert [it.text for it in row.cpp_no_default_args] == ["alpha"]
    assert row.structured_delegate.span.of(ENTRY) == "add.out"
    assert row.python_module.text == "nn"
    assert row.device_check.text == "NoCheck"


def test_structured_keys():
    _, mul, _ = native_functions_facts(TEXT).entries
    row = mul.entry

    assert row.structured
    assert row.structured_inherits.text == "TensorIteratorBase"
    assert [(it.key.text, it.function.text) for it in row.ufunc_inner_loop] == [
        ("Generic", "mul (AllAndComplex)"),
        ("ScalarOnly", "mul (Bool)"),
    ]
    assert mul.place(row.precomputed[0].span).of(TEXT) == "dim -> int dim"


@pytest.mark.parametrize(
    ("rest", "composite"),
    [
        ("", "CompositeImplicitAutograd"),
        ("  dispatch:\n    CPU: f\n", None),
        ("  structured_delegate: f.out\n", None),
        ("  dispatch:\n    CompositeExplicitAutograd: f\n", "CompositeExplicitAutograd"),
        (
            "  dispatch:\n    CPU: f\n    CompositeExplicitAutogradNonFunctional: g\n",
            "CompositeExplicitAutogradNonFunctional",
        ),
        ("  manual_kernel_registration: True\n", None),
    ],
)
def test_a_row_without_dispatch_is_composite_implicit(rest, composite):
    assert entry("- func: f(Tensor self) -> Tensor\n" + rest).composite == composite


def test_lines_tell_where_to_insert_and_what_to_delete():
    row = entry()

    assert row.key("tags").lines.of(ENTRY) == "  tags: [core, pointwise]\n"
    assert row.end == len(ENTRY)
    assert not row.is_cut_off
    assert entry(ENTRY.rstrip("\n")).is_cut_off
    assert not entry(ENTRY + "\n# The next row is …\n").is_cut_off


def test_a_schema_over_several_lines_is_read_though_its_parts_have_no_place():
    text = "- func: f(Tensor self,\n    Tensr other) -> Tensor\n"
    row = entry(text)

    assert row.operator.text == "f"
    assert row.operator.span.of(text) == "f(Tensor self,"
    assert [it.message for it in row.schema_problems] == ["no type is called `Tensr`"]


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n", "\ufeff"])
def test_a_file_without_entries_states_nothing(text):
    assert native_functions_facts(text) == NativeFunctionsFacts()


@given(
    st.text(st.sampled_from("- func:#\n\r\tMPS'[{\u2028\x00"), max_size=30) | st.text(max_size=12)
)
def test_any_text_can_be_read(text):
    facts = native_functions_facts(text)
    starts = [it.start for it in facts.entries]

    assert starts == sorted(set(starts))
    assert bool(facts.entries) or bool(facts.problems) or "func" not in text


def test_a_byte_order_mark_is_no_part_of_the_first_entry():
    [placed] = native_functions_facts("\ufeff" + ENTRY).entries

    assert placed.start == 1
    assert placed.entry == entry()


def test_files_say_how_their_lines_end():
    assert native_functions_facts(TEXT).newline == "\n"
    assert native_functions_facts(TEXT.replace("\n", "\r\n")).newline == "\r\n"
    assert native_functions_facts(ENTRY.replace("\n", "\r\n")).newline == "\r\n"


def test_an_edit_leaves_the_other_entries_as_the_same_objects():
    before = native_functions_facts(TEXT).entries
    after = native_functions_facts(TEXT.replace("tags: core", "tags: pointwise")).entries

    assert [old.entry is new.entry for old, new in zip(before, after, strict=True)] == [
        False,
        True,
        True,
    ]
    assert after[2].start == before[2].start + len("pointwise") - len("core")


def test_facts_survive_the_cache_on_disk():
    facts = native_functions_facts(TEXT)
    packed = msgspec.msgpack.encode(facts)

    assert msgspec.msgpack.decode(packed, type=NativeFunctionsFacts) == facts


def test_the_first_edit_after_a_warm_start_reads_one_entry():
    text = TEXT.replace("add", "warm")
    read = NativeFunctionsFacts(
        tuple(PlacedEntry(start, entry) for start, entry in fresh(text)), newline="\n"
    )
    remember(text, read)
    after = native_functions_facts(text.replace("tags: core", "tags: pointwise")).entries

    assert [old.entry is new.entry for old, new in zip(read.entries, after, strict=True)] == [
        False,
        True,
        True,
    ]


def test_facts_of_another_text_are_not_taken_over():
    text = TEXT.replace("add", "cold")
    remember(text, native_functions_facts("- func: f() -> int\n"))

    assert [(it.start, it.entry) for it in native_functions_facts(text).entries] == fresh(text)


def test_entries_that_nobody_reads_any_more_are_forgotten():
    recent = _Recent(most=2)
    texts = [f"- func: f{number}() -> int\n" for number in range(5)]
    first = recent.entry(texts[0])
    kept = recent.entry(texts[0]) is first
    for text in texts[1:]:
        recent.entry(text)

    assert kept
    assert recent.entry(texts[0]) is not first
    assert recent.entry(texts[0]) == first


def fresh(text):
    """The facts of every entry, read anew."""
    _, starts, texts = entry_texts(text)
    return list(zip(starts, map(entry_of, texts), strict=True))


CHANGES = st.lists(
    st.tuples(
        st.integers(0, len(TEXT)),
        st.integers(0, 30),
        st.sampled_from(
            ["", "\n", " ", "-", "- ", ":", "#", "'", '"', "[", "{", "\t", "é", "\U0001f600"]
        )
        | st.text(max_size=3),
    ),
    min_size=1,
    max_size=4,
)


@given(CHANGES)
def test_after_any_edits_the_facts_are_those_of_a_fresh_reading(changes):
    text = TEXT
    for start, length, new in changes:
        text = text[:start] + new + text[start + length :]
        facts = native_functions_facts(text)

        assert [(it.start, it.entry) for it in facts.entries] == fresh(text)
        for placed in facts.entries:
            for problem in (*placed.entry.problems, *placed.entry.schema_problems):
                span = placed.place(problem.span)
                assert 0 <= span.start <= span.end <= len(text) + 1


def test_every_edit_of_one_row_spares_the_rows_around_it():
    before = "- func: before(Tensor self) -> Tensor\n"
    for position in range(len(ENTRY)):
        broken = ENTRY[:position] + ENTRY[position + 1 :]
        text = f"{before}{broken}\n- func: after(Tensor self) -> Tensor\n"
        entries = native_functions_facts(text).entries

        assert entries[-1].entry.operator.text == "after"
        if position > 1:
            assert entries[0].entry == entry_of(before)
