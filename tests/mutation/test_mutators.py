"""The mistakes themselves: each changes one thing, and only where its precondition holds."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from torchgen.gen import get_grouped_native_functions, parse_native_yaml

from mkls.text.edit import Edit, apply_edits
from mkls.text.span import Span
from tests.mutation.kinds import BY_NAME, EXTENSION_KINDS, KINDS
from tests.mutation.rows import PATH, rows
from tests.mutation.text import bare, closing, code, function, misspelt, parts
from tests.support.mutation import Kind, Mutation, Site, Tree, draw
from tests.support.trees import WRITTEN

each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


@pytest.fixture(scope="module")
def tree(new_style_tree):
    paths = (path for path in new_style_tree.rglob("*") if path.is_file())
    return Tree({it.relative_to(new_style_tree).as_posix(): it.read_text("utf-8") for it in paths})


def mutations(kind: Kind, tree: Tree) -> list[Mutation]:
    return [Mutation(kind, site, text) for site in kind.sites(tree) for text in site.replacements]


def yaml_tree(text: str) -> Tree:
    return Tree({PATH: text})


# Every kind


ONLY_IN_OLD_TREES = {"bfloat-unguarded", "pointer-moved", "merged-without-stub"}
"""In 2.13 every Metal version has bfloat; the sample makes no local pointer from a parameter."""


@each_kind
def test_the_sample_tree_has_a_site_for_each_kind(kind, tree):
    assert bool(mutations(kind, tree)) != (kind.name in ONLY_IN_OLD_TREES)


@each_kind
def test_a_mistake_changes_one_place_and_nothing_else(kind, tree):
    for mutation in mutations(kind, tree):
        text = tree.texts[mutation.site.path]
        after = mutation.applied(text)
        assert after != text
        first = min(edit.span.start for edit in mutation.edits)
        last = max(edit.span.end for edit in mutation.edits)
        assert after.startswith(text[:first])
        assert after.endswith(text[last:])


@each_kind
def test_the_mistake_is_at_its_place(kind, tree):
    for mutation in mutations(kind, tree):
        site = mutation.site
        touched = [site.span, *(edit.span for edit in site.more)]
        assert any(it.start <= site.place.end and site.place.start <= it.end for it in touched)


@each_kind
def test_comments_are_left_alone(kind, tree):
    for mutation in mutations(kind, tree):
        path, span = mutation.site.path, mutation.site.span
        if not path.endswith(".yaml") and span.start < span.end:
            text = tree.texts[path]
            assert (
                code(text)[span.start : span.end].strip() or not text[span.start : span.end].strip()
            )


@each_kind
def test_what_a_kind_does_is_written_down(kind):
    assert kind.summary.endswith(".")


def test_kinds_have_names_of_their_own():
    assert len(BY_NAME) == len(KINDS) + len(EXTENSION_KINDS)


# Drawing


def test_equal_seeds_draw_equal_mutations(tree):
    assert draw(KINDS, tree, 7, 100) == draw(KINDS, tree, 7, 100)
    assert draw(KINDS, tree, 7, 100) != draw(KINDS, tree, 8, 100)


def test_kinds_are_drawn_evenly(tree):
    drawn = draw(KINDS, tree, 1, 2 * len(KINDS))
    counts = Counter(it.kind.name for it in drawn)

    assert counts.total() == 2 * len(KINDS)
    assert set(counts.values()) <= {1, 2, 3}


def test_a_site_is_not_drawn_twice_before_all_others():
    sites = [Site("a", Span(n, n + 1), ("x", "y"), Span(n, n + 1)) for n in range(5)]
    kind = Kind("some", "dispatch", lambda _: sites)

    first = draw((kind,), Tree({"a": "abcde"}), 3, 5)

    assert sorted(it.site.span.start for it in first) == [0, 1, 2, 3, 4]


# Places after a mistake


@given(
    st.text("abc", min_size=12, max_size=12),
    st.integers(0, 12),
    st.integers(0, 12),
    st.text("xyz", max_size=6),
)
def test_what_lies_outside_of_a_mistake_is_found_again(text, one, other, replacement):
    start, end = sorted((one, other))
    span = Span(start, end)
    mutation = Mutation(KINDS[0], Site("a", span, (replacement,), span), replacement)
    after = mutation.applied(text)
    for outside in (Span(0, start), Span(end, len(text))):
        if outside.start < outside.end:
            assert mutation.moved(outside).of(after) == outside.of(text)


def test_a_place_around_a_mistake_grows_with_it():
    text = "call(a, b);"
    mutation = Mutation(KINDS[0], Site("a", Span(8, 9), ("long",), Span(0, 11)), "long")

    assert mutation.grown(Span(0, 11)).of(mutation.applied(text)) == "call(a, long);"


def test_a_place_takes_in_what_is_inserted_after_it():
    mutation = Mutation(KINDS[0], Site("a", Span(2, 2), ("ab",), Span(0, 2)), "ab")

    assert mutation.grown(Span(0, 2)).of("ababcd") == "abab"
    assert mutation.moved(Span(0, 2)).of("ababcd") == "ab"
    assert mutation.moved(Span(2, 4)).of("ababcd") == "cd"


def test_a_move_is_two_edits_and_one_mistake():
    site = Site("a", Span(4, 6), ("",), Span(0, 2), more=(Edit(Span(0, 0), "ef"),))
    mutation = Mutation(KINDS[0], site, "")

    assert mutation.applied("abcdef") == "efabcd"
    assert mutation.moved(Span(0, 2)).of("efabcd") == "ab"


# Preconditions

ROWS = """\
- func: {name}(Tensor self) -> Tensor
  dispatch:
    CPU, CUDA, MPS: {name}
- func: {name}_(Tensor(a!) self) -> Tensor(a!)
  dispatch:
    CPU, CUDA, MPS: {name}_
"""


def test_a_dropped_key_leaves_the_rest_of_the_list():
    tree = yaml_tree(ROWS.format(name="logit"))

    first, _ = mutations(BY_NAME["shared-key-dropped"], tree)

    assert "    CPU, CUDA: logit\n" in first.applied(tree.texts[PATH])


def test_a_key_is_not_dropped_where_a_composite_serves():
    text = ROWS.format(name="logit").replace("CUDA", "CompositeExplicitAutograd")

    assert mutations(BY_NAME["shared-key-dropped"], yaml_tree(text)) == []


def test_a_key_is_not_dropped_where_no_sibling_keeps_it():
    text = ROWS.format(name="logit").partition("- func: logit_")[0]

    assert mutations(BY_NAME["shared-key-dropped"], yaml_tree(text)) == []


def test_an_own_line_is_dropped_whole():
    row = "- func: f(Tensor self) -> Tensor\n  dispatch:\n"
    text = row + "    CPU: f_cpu\n    MPS: f_mps\n  tags: core\n"
    host = "Tensor f_mps(const Tensor& self) {\n  return self;\n}\n"
    tree = Tree({PATH: text, "aten/src/ATen/native/mps/operations/F.mm": host})

    (only,) = mutations(BY_NAME["own-line-dropped"], tree)

    assert only.applied(text) == text.replace("    MPS: f_mps\n", "")


def test_a_line_is_not_dropped_where_host_code_calls_its_function():
    text = "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f_cpu\n    MPS: f_mps\n"
    host = (
        "Tensor f_mps(Tensor& self) {\n}\nTensor g_mps(Tensor& self) {\n  return f_mps(self);\n}\n"
    )
    tree = Tree({PATH: text, "aten/src/ATen/native/mps/operations/F.mm": host})

    assert mutations(BY_NAME["own-line-dropped"], tree) == []


def test_a_line_is_not_dropped_where_another_row_needs_its_function():
    row = "- func: {}(Tensor self) -> Tensor\n  dispatch:\n    CPU: c\n    MPS: f_mps\n"

    assert (
        mutations(BY_NAME["own-line-dropped"], yaml_tree(row.format("a") + row.format("b"))) == []
    )


def test_rows_are_read_with_their_places(tree):
    text = tree.texts[PATH]
    found = {row.operator: row for row in tree.once(rows)}

    assert len(found) == text.count("\n- func: ")
    for row in found.values():
        assert row.span.of(text).startswith("- func: ")
        for line in row.lines:
            assert line.function.span.of(text) == line.function.text
            assert all(key.span.of(text) == key.text for key in line.keys)
    assert found["tanh.out"].keys == {"CPU", "CUDA", "MPS"}
    assert found["atan2"].delegate == "atan2.out"


def test_a_misspelling_is_no_other_word():
    assert "stub" not in misspelt("sutb", frozenset({"stub"}))
    assert all(
        it not in ("exp_stub", "exp_sutb") for it in misspelt("exp_stub", frozenset({"exp_sutb"}))
    )


MM = """\
namespace at {

static void first_mps(TensorIterator& iter) {
  // lib.getPipelineStateForFunc("not_this");
  const auto name =
      fmt::format("sum_{}_{}", scalarToMetalTypeString(a), scalarToMetalTypeString(b));
  lib.getPipelineStateForFunc(name);
}

} // namespace at
"""


def test_a_name_is_found_where_a_local_variable_holds_it():
    tree = Tree({"aten/src/ATen/native/mps/operations/A.mm": MM})

    (swapped,) = mutations(BY_NAME["lookup-types-swapped"], tree)

    assert '"sum_{}_{}", scalarToMetalTypeString(b), scalarToMetalTypeString(a)' in swapped.applied(
        MM
    )


def test_a_commented_lookup_is_none():
    tree = Tree({"aten/src/ATen/native/mps/operations/A.mm": MM})

    assert {it.site.span.of(MM) for it in mutations(BY_NAME["lookup-renamed"], tree)} == {"sum"}


METAL = """\
#define REGISTER_NAMED(DTYPE) template [[host_name("a_" #DTYPE)]] kernel void a<DTYPE>();
#define REGISTER_SIZED(SIZE, DTYPE) template [[host_name("b_" #SIZE)]] kernel void b<DTYPE>();
#define REGISTER_BOTH(DTYPE) REGISTER_NAMED(DTYPE)
REGISTER_BOTH(int);
REGISTER_SIZED(8, char);
"""


def test_a_dtype_is_respelt_only_where_the_name_has_it():
    tree = Tree({"aten/src/ATen/native/mps/kernels/A.metal": METAL})

    after = [it.applied(METAL) for it in mutations(BY_NAME["dtype-respelt"], tree)]

    assert after == [METAL.replace("BOTH(int)", "BOTH(int32_t)")]


def test_the_encoder_moves_before_the_block(tree):
    for mutation in mutations(BY_NAME["encoder-moved-out"], tree):
        text = mutation.applied(tree.texts[mutation.site.path])
        whole = function(bare(text), mutation.site.place.start)
        own = text[whole.start : whole.end]
        assert own.index("commandEncoder()") < own.rindex("dispatch_sync")


def test_a_return_goes_and_the_report_stays(tree):
    for mutation in mutations(BY_NAME["report-then-continue"], tree):
        text = tree.texts[mutation.site.path]
        lost = mutation.site.span.of(text)
        assert re.fullmatch(r"\s*return[^;]*;", lost)


REJECTED = (
    "delegate-dispatches",
    "delegate-unknown",
    "delegate-unstructured",
    "key-misspelt",
    "mps-moved-to-delegate",
    "schema-broken",
    "tag-misspelt",
    "ufunc-shared",
    "yaml-broken",
)
"""The kinds that torchgen itself knows to be mistakes."""


def torchgen_accepts(path: Path, tags: Path) -> bool:
    try:
        get_grouped_native_functions(parse_native_yaml(str(path), str(tags)).native_functions)
    except Exception:  # torchgen and YAML raise what they like
        return False
    return True


@pytest.mark.parametrize("name", REJECTED)
def test_torchgen_rejects_the_mistake(name, tree, tmp_path):
    tags = WRITTEN / PATH.replace("native_functions", "tags")
    for number, mutation in enumerate(draw([BY_NAME[name]], tree, 5, 3)):
        path = tmp_path / f"{number}.yaml"
        path.write_text(mutation.applied(tree.texts[PATH]), encoding="utf-8")

        assert not torchgen_accepts(path, tags), mutation.applied(tree.texts[PATH])


# Text


def test_brackets_and_arguments():
    text = bare('f(a, g(b, c), "x, (y" /* , */, {d, e});')

    assert closing(text, 1) == len(text) - 2
    assert [len(it.of(text)) > 0 for it in parts(text, 1)] == [True] * 4


@given(st.text('ab"(),/*\n\\ {}'))
def test_blanking_keeps_every_place(text):
    for view in (bare(text), code(text)):
        assert len(view) == len(text)
        assert [n for n, it in enumerate(view) if it == "\n"] == [
            n for n, it in enumerate(text) if it == "\n"
        ]


def test_edits_apply_from_the_text_as_it_was():
    assert apply_edits("abc", (Edit(Span(0, 1), "xx"), Edit(Span(2, 3), ""))) == "xxb"


def test_the_written_tree_is_text_of_the_intended_shape():
    assert (WRITTEN / PATH).is_file()
