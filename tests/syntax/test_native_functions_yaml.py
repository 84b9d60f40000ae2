"""Values and places agree with libyaml, and a broken entry is broken alone."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mkls.syntax.native_functions.entries import entry_texts
from mkls.syntax.native_functions.entry_lines import pairs_of
from mkls.syntax.native_functions.nodes import Mapping, Scalar, Sequence
from mkls.syntax.native_functions.read_entry import read_entry
from tests.syntax.yaml_oracle import composed, ours, pairs, theirs

YAML = "aten/src/ATen/native/native_functions.yaml"
ENTRY = """\
- func: add.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  device_check: NoCheck   # TensorIterator
  structured: True
  ufunc_inner_loop:
    Generic: add (AllAndComplex, Half)

  precomputed:
  - dim -> int dim, int valid
  # a comment between keys
  cpp_no_default_args: ['a', "b"]
  dispatch:
    CPU, CUDA: add_out  # shared
    MPS: at::add_out_mps
    SparseCPU: {}
  tags: [core, pointwise]
  autogen:
"""


def check_file(text, count):
    head, starts, texts = entry_texts(text)
    nodes = composed(text).value

    assert head == text[: nodes[0].start_mark.index - 2]
    assert len(starts) == len(nodes) == count
    for start, entry, node in zip(starts, texts, nodes, strict=True):
        assert pairs_of(entry) is not None, "a line of PyTorch's own is odd"
        assert pairs(read_entry(entry).pairs, start) == theirs(node)


def test_every_value_and_place_of_2_6(pytorch_tree):
    check_file((pytorch_tree / YAML).read_text(encoding="utf-8"), 2633)


def test_every_value_and_place_of_2_13(native_functions_2_13):
    check_file(native_functions_2_13.read_text(encoding="utf-8"), 2584)


def test_lines_are_read_without_a_loader():
    assert pairs_of(ENTRY) is not None
    assert pairs(read_entry(ENTRY).pairs, 0) == theirs(composed(ENTRY).value[0])


def test_a_pair_knows_its_whole_lines():
    lines = {it.key.text: it.lines.of(ENTRY) for it in read_entry(ENTRY).pairs}

    assert lines["structured"] == "  structured: True\n"
    assert lines["dispatch"].startswith("  dispatch:\n    CPU, CUDA")
    assert lines["dispatch"].endswith("    SparseCPU: {}\n")
    assert lines["precomputed"] == "  precomputed:\n  - dim -> int dim, int valid\n"


@pytest.mark.parametrize(
    "entry",
    [
        "- func: 'it''s (quoted)'\n  tags: \"a\\tb\"\n",
        "- func: a(Tensor x,\n    Tensor y) -> Tensor\n  tags: [a,\n    b]\n",
        "- func: >\n    folded\n    text\n  tags: |\n    kept\n",
        "- variants: function\n  func: a\n",
        "- func: a\r\n  dispatch:\r\n    CPU: b\r\n",
        "- func:   a   \n  dispatch:   \n      CPU:   b   # c\n      MPS:  c\n",
        "- func: a\n  dispatch: {CPU: b, 'MPS': c}\n",
        "- func: a\n  tags:\n    - core\n    - 'x'\n",
        "- {func: a, tags: [core]}\n",
        "- func: &anchor a\n  tags: *anchor\n",
        "-   func: a\n    tags: b\n",
        '- func: "a \\\n    b"\n',
        "- ? func\n  : a\n",
        "- func: a#b:c - d\n  x: -y\n  z: ?w\n",
        "- func: !!str 1\n  a: 0x1F\n  b: 1_000\n  c: 1.5e+3\n  d: ~\n  e: .inf\n  f: 2001-01-01\n",
        "- func: yes\n  a: No\n  b: Null\n  c: on\n  d: 'off'\n  e: -12\n  f: 1:30\n",
        "- func: a\n  tags: []\n  dispatch: {}\n  x: [ a , 'b' ]\n",
        "- func: a\n\n\n  # c\n  tags: b\n# d\n\n",
        "- func: a",
        "- func: \u00fcber \U0001f600\n  tags: b\n",
    ],
)
def test_odd_entries_agree_with_the_oracle(entry):
    syntax = read_entry(entry)

    assert syntax.problems == ()
    assert pairs(syntax.pairs, 0) == theirs(composed(entry).value[0])


PIECES = st.sampled_from(
    [
        *("a", "CPU", ": ", ":", "'", '"', "\n", "  ", "    ", "- ", "#", " #", "[", "]", "{", "}"),
        *(", ", "&a ", "*a", "!", "|", ">", "%", "@", "`", "?", "\t", "\r\n", "True", "~", "1"),
        *("\u00e9", "\\", "func: ", "tags: ", "  dispatch:\n    MPS: b\n", ""),
    ]
)


def edits(text):
    start = st.integers(2, len(text))
    return st.tuples(start, st.integers(0, 3), PIECES).map(
        lambda it: text[: it[0]] + it[2] + text[it[0] + it[1] :]
    )


@given(edits(ENTRY) | edits("- func: a\n  tags: b\n  variants: function, method\n"))
def test_whatever_libyaml_reads_we_read_alike(text):
    try:
        root = composed(text)
    except yaml.YAMLError:
        read_entry(text)
        return
    if len(entry_texts(text)[1]) != 1 or not isinstance(root.value[0].value, list):
        return
    syntax = read_entry(text)
    if not syntax.problems:
        assert pairs(syntax.pairs, 0) == theirs(root.value[0])


BREAKAGES = {
    "an unclosed quote": ("add_out  # shared", "'add_out"),
    "an unclosed double quote": ("NoCheck ", '"NoCheck '),
    "an unclosed list": ("[core, pointwise]", "[core, pointwise"),
    "an unclosed map": ("SparseCPU: {}", "SparseCPU: {"),
    "a stray bracket": ("[core, pointwise]", "[core, pointwise]]"),
    "no colon yet": ("    MPS: at::add_out_mps\n", "    MPS\n"),
    "no value yet": ("  structured: True\n", "  structured:\n"),
    "half a key": ("  structured: True\n", "  struc\n"),
    "no blank after a colon": ("  structured: True\n", "  structured:True\n"),
    "a tab for a blank": ("  structured: True\n", "\tstructured: True\n"),
    "a tab in a dispatch": ("    MPS:", "\tMPS:"),
    "one blank less": ("  structured: True\n", " structured: True\n"),
    "one blank more": ("  structured: True\n", "   structured: True\n"),
    "no indentation": ("  structured: True\n", "structured: True\n"),
    "no indentation of an unknown key": ("  structured: True\n", "struct: True\n"),
    "no dash": ("- func: add", "func: add"),
    "no blank after the dash": ("- func: add", "-func: add"),
    "no func": ("- func: add.out(Tensor self", "- "),
    "only a dash": (ENTRY, "-\n"),
    "nothing": (ENTRY, ""),
    "a block scalar": ("NoCheck   # TensorIterator", "|"),
    "an anchor": ("at::add_out_mps", "*nothing"),
    "a reserved mark": ("at::add_out_mps", "@add"),
    "a colon in a value": ("at::add_out_mps", "at: add: mps"),
    "a comment in the way": ("at::add_out_mps", "#"),
    "a list under a map": ("    MPS: at::add_out_mps\n", "    - MPS\n"),
    "a conflict": ("  structured: True\n", "<<<<<<< HEAD\n  structured: True\n=======\n"),
    "a document marker": ("  structured: True\n", "---\n"),
    "an end marker": ("  structured: True\n", "...\n"),
    "a directive": ("  structured: True\n", "%YAML 1.2\n"),
    "a control character": ("  structured: True\n", "  structured: \x07\n"),
}
BEFORE = "- func: before(Tensor self) -> Tensor\n  variants: function\n\n"
AFTER = "- func: after(Tensor self) -> Tensor\n  tags: core\n"


@pytest.mark.parametrize("change", BREAKAGES.values(), ids=BREAKAGES)
def test_a_broken_entry_is_broken_alone(change):
    old, new = change
    assert old in ENTRY
    text = BEFORE + ENTRY.replace(old, new) + AFTER
    _, _, texts = entry_texts(text)

    assert texts[0] == BEFORE
    assert texts[-1] == AFTER


@pytest.mark.parametrize(
    "entry",
    [
        "- func: a\n  tags: &a [*a]\n",
        "- func: &k0 []\n"
        + "".join(f"  k{i}: &k{i} [*k{i - 1}, *k{i - 1}]\n" for i in range(1, 60)),
        "- func: a\n  ? [b, c]\n  : d\n",
        "- func: a\n  tags: !mine b\n",
        "- func: " + "[" * 300,
        "- func: a\n" + " " * 100_000 + "*",
        "- func: " + "[" * 100_000,
        "- - - - a\n",
    ],
)
def test_what_no_entry_needs_is_a_problem_and_no_failure(entry):
    assert [it.message for it in read_entry(entry).problems]


def test_what_is_sound_in_a_broken_entry_is_read():
    syntax = read_entry(ENTRY.replace("    MPS: at::add_out_mps\n", "    MPS\n"))
    read = {it.key.text: it.value for it in syntax.pairs}

    assert [it.message for it in syntax.problems] == ["not YAML: could not find expected ':'"]
    assert isinstance(read["tags"], Sequence)
    assert isinstance(read["structured"], Scalar)
    assert isinstance(read["dispatch"], Mapping)
    assert [it.key.text for it in read["dispatch"].pairs] == ["CPU, CUDA", "SparseCPU"]


def test_a_key_without_its_indentation_stays_with_its_entry():
    text = ENTRY.replace("  structured: True", "structured: True")
    syntax = read_entry(text)

    [problem] = syntax.problems
    assert problem.message == "`structured` must stand two spaces in, like an entry's other keys"
    assert problem.span.of(text) == "structured:"
    assert "structured" in [it.key.text for it in syntax.pairs]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_they_like(newline):
    text = (BEFORE + ENTRY + AFTER).replace("\n", newline)
    _, _, texts = entry_texts(text)

    assert len(texts) == 3
    assert all(pairs_of(it) is not None for it in texts)
    assert ours(read_entry(texts[2]).pairs[1].value, 0)[1] == "core"
