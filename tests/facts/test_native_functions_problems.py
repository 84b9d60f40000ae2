"""What is wrong with an entry, and where; torchgen stops at every one of these."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mkls.facts.native_functions import native_functions_facts

PROGRAM = Path(__file__).with_name("torchgen_entries.py")
OUT = "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n"
PLAIN = "- func: f(Tensor self, int d=1) -> Tensor\n"
BROKEN = {
    "no func": ("- variants: function\n", "- variants: function", "needs a `func`"),
    "func without a value": ("- func:\n", "func", "`func` has no value"),
    "func is a number": ("- func: 12\n", "12", "the value of `func` is a string"),
    "a key that is unknown": (PLAIN + "  variant: method\n", "variant", "no key of an entry"),
    "a key twice": (
        PLAIN + "  variants: method\n  variants: function\n",
        "variants",
        "`variants` is written twice",
    ),
    "a variant that is unknown": (PLAIN + "  variants: methods\n", "methods", "no variant"),
    "variants without a value": (PLAIN + "  variants:\n", "variants", "has no value"),
    "variants as a list": (PLAIN + "  variants: [method]\n", "[method]", "is a string"),
    "a method with out arguments": (OUT + "  variants: method\n", "method", "`function` only"),
    "a method of a module": (
        PLAIN + "  variants: function, method\n  python_module: nn\n",
        "method",
        "cannot be methods",
    ),
    "a flag that is a string": (OUT + "  structured: yess\n", "yess", "`True` or `False`"),
    "a flag without a value": (OUT + "  structured:\n", "structured", "`True` or `False`"),
    "a check that is unknown": (PLAIN + "  device_check: Never\n", "Never", "`NoCheck` or"),
    "defaults that are no list": (PLAIN + "  cpp_no_default_args: d\n", "d", "is a list"),
    "no such default": (PLAIN + "  cpp_no_default_args: [self]\n", "self", "no argument with a"),
    "structured on a functional row": (
        PLAIN + "  structured: True\n",
        "structured",
        "only an out variant is `structured`",
    ),
    "an out row that delegates": (
        OUT + "  structured_delegate: g.out\n",
        "structured_delegate",
        "an out variant does not delegate",
    ),
    "a delegate with a namespace": (
        PLAIN + "  structured_delegate: aten::f.out\n",
        "aten::f.out",
        "has no namespace",
    ),
    "inherits without structured": (
        OUT + "  structured_inherits: TensorIteratorBase\n",
        "structured_inherits",
        "needs `structured: True`",
    ),
    "no guard on a structured row": (
        OUT + "  structured: True\n  device_guard: False\n",
        "device_guard",
        "do not respect",
    ),
    "precomputed without structured": (
        OUT + "  precomputed:\n  - d -> int d\n",
        "precomputed",
        "needs `structured: True`",
    ),
    "a ufunc key that is unknown": (
        OUT + "  structured: True\n  ufunc_inner_loop:\n    Generics: f (Half)\n",
        "Generics",
        "no ufunc key",
    ),
    "a ufunc without dtypes": (
        OUT + "  structured: True\n  ufunc_inner_loop:\n    Generic: f\n",
        "f",
        "expected a function and its dtypes",
    ),
    "a dispatch that is a string": (PLAIN + "  dispatch: CPU\n", "CPU", "is a map"),
    "a dispatch line without a function": (
        PLAIN + "  dispatch:\n    CPU, MPS:\n",
        "CPU, MPS",
        "`CPU, MPS` has no value",
    ),
    "a dispatch key twice": (
        PLAIN + "  dispatch:\n    CPU: f\n    CPU: f_mps\n",
        "CPU",
        "listed twice",
    ),
    "a comma too many": (PLAIN + "  dispatch:\n    CPU, , MPS: f\n", " ", "between the commas"),
    "two composites": (
        PLAIN + "  dispatch:\n    CompositeImplicitAutograd: g\n    CompositeExplicitAutograd: h\n",
        "CompositeExplicitAutograd",
        "exclude each other",
    ),
    "a dispatch for nothing": (
        PLAIN + "  dispatch:\n    CompositeImplicitAutograd: f\n",
        "CompositeImplicitAutograd",
        "delete it",
    ),
    "another name for nothing": (
        PLAIN + "  dispatch:\n    CompositeImplicitAutograd: g\n",
        "g",
        "expected `f`",
    ),
    "too many namespaces": (
        PLAIN + "  dispatch:\n    CPU: a::b::c::d::e\n",
        "a::b::c::d::e",
        "three",
    ),
    "a dispatch without effect": (
        PLAIN + "  manual_kernel_registration: True\n  dispatch:\n    CPU: f\n",
        "dispatch",
        "has no effect",
    ),
    "a factory without a kernel": (
        "- func: new_f(Tensor self) -> Tensor\n",
        "new_f",
        "needs a `CompositeExplicitAutograd` dispatch",
    ),
    "a foreach that checks devices": (
        "- func: _foreach_f(Tensor[] self) -> Tensor[]\n",
        "_foreach_f",
        "needs `device_check: NoCheck`",
    ),
    "a random row without its tag": (
        "- func: f(Tensor self, Generator? generator=None) -> Tensor\n",
        "f",
        "`nondeterministic_seeded`",
    ),
    "dropout without its tag": (
        "- func: my_dropout(Tensor self) -> Tensor\n",
        "my_dropout",
        "`nondeterministic_seeded`",
    ),
}
SOUND = [
    "- func: my_dropout_backward(Tensor self) -> Tensor\n",
    PLAIN + "  structured_delegate:\n  python_module:\n",
    PLAIN + "  dispatch: {}\n  tags: core\n",
    PLAIN + "  dispatch:\n    CompositeImplicitAutograd: f_symint\n",
    PLAIN + "  dispatch:\n    CompositeImplicitAutograd: g\n    MPS: f_mps\n",
    PLAIN
    + "  dispatch:\n    CompositeImplicitAutograd: g\n"
    + "    CompositeImplicitAutogradNestedTensor: h\n",
    PLAIN + "  cpp_no_default_args: ['d']\n  tags: [core, 'pointwise']\n",
    OUT + "  structured: True\n  ufunc_inner_loop: f (AllAndComplex, Half)\n",
    PLAIN + "  dispatch:\n    CPU: a::b::c::d\n",
]


def torchgen_on(texts):
    run = subprocess.run(
        [sys.executable, str(PROGRAM)],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        env={},
    )
    return json.loads(run.stdout)


@pytest.mark.parametrize(("text", "place", "message"), BROKEN.values(), ids=BROKEN)
def test_a_problem_stands_on_what_is_wrong(text, place, message):
    [placed] = native_functions_facts(text).entries
    [problem] = placed.entry.problems

    assert message in problem.message
    assert problem.span.of(text) == place


def test_torchgen_stops_at_every_broken_entry():
    answers = torchgen_on([text for text, _, _ in BROKEN.values()])

    assert [name for name, answer in zip(BROKEN, answers, strict=True) if answer is None] == []


def test_a_dispatch_key_in_two_lines_is_a_problem_though_torchgen_takes_the_last():
    text = PLAIN + "  dispatch:\n    CPU, MPS: f\n    MPS: f_mps\n"
    [placed] = native_functions_facts(text).entries

    assert torchgen_on([text]) == [None]
    assert [it.message for it in placed.entry.problems] == [
        "`MPS` is listed twice in this dispatch"
    ]
    assert placed.entry.dispatch_lines["MPS"].function.text == "f_mps"


def test_torchgen_takes_every_sound_entry_and_so_do_we():
    problems = [
        it for text in SOUND for it in native_functions_facts(text).entries[0].entry.problems
    ]

    assert torchgen_on(SOUND) == [None] * len(SOUND)
    assert problems == []


def test_pytorch_is_sound(pytorch_tree, native_functions_2_13):
    old = pytorch_tree / "aten/src/ATen/native/native_functions.yaml"
    for path in (old, native_functions_2_13):
        facts = native_functions_facts(path.read_text(encoding="utf-8"))

        assert facts.problems == ()
        assert [it.entry.problems for it in facts.entries if it.entry.problems] == []
        assert [it.entry.schema_problems for it in facts.entries if it.entry.schema_problems] == []


def test_text_above_the_first_entry_is_a_problem_of_the_file():
    text = "# a comment\n  func: f(Tensor self) -> Tensor\n" + PLAIN
    facts = native_functions_facts(text)

    [problem] = facts.problems
    assert problem.span.of(text) == "func: f(Tensor self) -> Tensor"
    assert len(facts.entries) == 1
