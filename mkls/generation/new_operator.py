"""A new elementwise operator in PyTorch itself: rows, meta function, stub, kernel, test."""

from collections.abc import Sequence
from typing import Final

import msgspec

from mkls.diagnostics.model import FileEdit
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.generation.dtypes import FLOATING
from mkls.generation.exec_kernels import exec_steps
from mkls.generation.kernel_work import KernelWork
from mkls.generation.known_functors import KnownFunctor
from mkls.generation.new_custom import custom_steps
from mkls.generation.new_operator_texts import HEADER, META, ROWS, SOURCE, TEST
from mkls.generation.new_sources import uri_below
from mkls.generation.own_kernels import own_steps
from mkls.generation.plan import NewFile, Plan, Reason, Refusal, RefusedError, Step, only_needed
from mkls.generation.source_edits import inserted
from mkls.generation.stub_calls import StubCall
from mkls.generation.stub_work import has_exec_functions
from mkls.index.operators import Row
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.index.stubs import Stub
from mkls.text.document import Uri
from mkls.text.edit import Edit
from mkls.text.span import Span

KINDS: Final = ("unary", "binary", "ternary", "custom")
OPERANDS: Final = {
    "unary": ("self",),
    "binary": ("self", "other"),
    "ternary": ("self", "other", "third"),
}
_PLACEHOLDERS: Final = {"unary": "a", "binary": "a + b", "ternary": "a + b * c"}


class NewOperator(msgspec.Struct, frozen=True):
    """What a new operator is to be: its name, its kind, and what it computes of `a`, `b`, `c`."""

    name: str
    kind: str
    expression: str = ""

    @property
    def stem(self) -> str:
        """The name of its files: `soft_clip` has `SoftClip.h`."""
        return "".join(word[:1].upper() + word[1:] for word in self.name.split("_"))

    @property
    def computed(self) -> str:
        """What it computes; a placeholder of its kind where nobody has said."""
        return self.expression or _PLACEHOLDERS.get(self.kind, "a")


def plan_new_operator(
    snapshot: Snapshot, wanted: NewOperator, replaced: Row | None = None
) -> Plan | Refusal:
    """Return how `wanted` comes into PyTorch, or why it cannot.

    `replaced` is a row that names the operator and says nothing else yet.
    """
    try:
        mind_name(wanted)
        _mind_taken(snapshot, wanted, replaced)
        return _plan(snapshot, wanted, replaced)
    except RefusedError as error:
        return error.refusal


def mind_name(wanted: NewOperator) -> None:
    """Refuse a name that is no identifier.

    Raises:
        RefusedError: It is none, or begins or ends with an underscore.
    """
    name = wanted.name
    if not name.isascii() or not name.isidentifier() or name != name.strip("_"):
        raise RefusedError(
            Reason.BAD_NAME, f"`{name}` is no name for an operator: use letters, digits and `_`"
        )


def _mind_taken(snapshot: Snapshot, wanted: NewOperator, replaced: Row | None) -> None:
    rows = [it for it in snapshot.operators.rows_of_base(wanted.name) if it is not replaced]
    kernels = snapshot.kernels.registered_names(f"{wanted.name}_")
    taken = (
        "a row"
        if rows
        else "a host function"
        if snapshot.host.functions(f"{wanted.name}_out")
        else f"kernel `{kernels[0]}`"
        if wanted.kind != "custom" and _clashes(wanted, kernels)
        else "a stub"
        if f"{wanted.name}_stub" in snapshot.host.stubs.by_name
        else ""
    )
    if taken:
        raise RefusedError(Reason.EXISTS, f"`{wanted.name}` is taken by {taken}")


def _clashes(wanted: NewOperator, kernels: Sequence[str]) -> bool:
    return any(it.startswith((f"{wanted.name}_dense", f"{wanted.name}_strided")) for it in kernels)


def _plan(snapshot: Snapshot, wanted: NewOperator, replaced: Row | None) -> Plan:
    title = f"Add operator `{wanted.name}`"
    if wanted.kind == "custom":
        steps = [
            *custom_steps(snapshot, wanted.name, wanted.stem),
            _row_step(snapshot, wanted, _custom_row(wanted), replaced),
        ]
        todo = (f"write the kernel of `{wanted.name}`: as yet it copies",)
        return Plan(title, only_needed(steps), todo)
    rows = ROWS.format(
        name=wanted.name,
        inputs=", ".join(f"Tensor {it}" for it in OPERANDS[wanted.kind]),
    )
    steps = [
        _row_step(snapshot, wanted, rows, replaced),
        _stub_step(snapshot, wanted),
        *_kernel_steps(snapshot, wanted),
        _test_step(snapshot, wanted),
    ]
    return Plan(title, only_needed(steps), tuple(_todo(wanted)))


def _todo(wanted: NewOperator) -> list[str]:
    cpu = (
        f"register a kernel for `{wanted.name}_stub` on the CPU, then list CPU beside MPS in "
        f"`{wanted.name}.out`"
    )
    if wanted.expression:
        return [cpu]
    return [f"say what `{wanted.name}` computes: as yet it is `{wanted.computed}`", cpu]


def _row_step(snapshot: Snapshot, wanted: NewOperator, rows: str, replaced: Row | None) -> Step:
    title = f"Write the rows of `{wanted.name}`"
    facts = snapshot.facts(NativeFunctionsFacts)
    if replaced is not None:
        span = replaced.place(Span(0, replaced.entry.end))
        newline = facts[replaced.uri].newline
        edit = Edit(span, rows.replace("\n", newline))
        return Step(title, (FileEdit(replaced.uri, edit),))
    uri = next(iter(facts))
    text = snapshot.sources[uri].document.text
    blank = "" if not text or text.endswith(("\n\n", "\r\n\r\n")) else "\n"
    return Step(title, (inserted(uri, text, len(text), blank + rows),))


def _custom_row(wanted: NewOperator) -> str:
    return (
        f"- func: {wanted.name}(Tensor self) -> Tensor\n  variants: function\n"
        f"  dispatch:\n    MPS: {wanted.name}_mps\n  autogen: {wanted.name}.out\n"
    )


def _stub_step(snapshot: Snapshot, wanted: NewOperator) -> Step:
    name, stem = wanted.name, wanted.stem
    inputs = ", ".join(f"const Tensor& {it}" for it in OPERANDS[wanted.kind])
    source = SOURCE.format(name=name, stem=stem, inputs=inputs, meta=META[wanted.kind])
    native = "aten/src/ATen/native"
    files = (
        NewFile(uri_below(snapshot, f"{native}/{stem}.h"), HEADER.format(name=name)),
        NewFile(uri_below(snapshot, f"{native}/{stem}.cpp"), source),
    )
    mind_new(snapshot, files)
    return Step(f"Declare, define and call `{name}_stub`", files=files)


def mind_new(snapshot: Snapshot, files: Sequence[NewFile]) -> None:
    """Refuse to write over files.

    Raises:
        RefusedError: One of `files` exists.
    """
    for it in files:
        if it.uri in snapshot.sources:
            raise RefusedError(Reason.EXISTS, f"{it.uri.rpartition('/')[2]} exists already")


def _kernel_steps(snapshot: Snapshot, wanted: NewOperator) -> list[Step]:
    arity = KINDS.index(wanted.kind) + 1
    known = KnownFunctor(arity, wanted.computed)
    work = KernelWork(wanted.name, known, FLOATING, written=True)
    header = Place(uri_below(snapshot, f"aten/src/ATen/native/{wanted.stem}.h"), Span(0, 0))
    stub = Stub(f"{wanted.name}_stub", "void (*)(TensorIteratorBase&)", (header,), (), ())
    call = StubCall(stub, wanted.name, arity, "TensorIteratorBase&", "", "")
    has_exec = snapshot.once(has_exec_functions)
    steps = (exec_steps if has_exec else own_steps)(snapshot, [(call, work)])
    return [_with_directive(it, wanted, has_exec) for it in steps]


def _with_directive(step: Step, wanted: NewOperator, has_exec: bool) -> Step:
    """Return `step` with a directive above each registration, so that `mkls run` can judge it."""
    directive = f"// mkls-expect: {expectation(wanted, has_exec)}\n"
    edits = tuple(
        FileEdit(it.uri, Edit(it.edit.span, _directed(it.edit.new_text, wanted.name, directive)))
        if it.uri.endswith(".metal")
        else it
        for it in step.edits
    )
    files = tuple(
        NewFile(it.uri, _directed(it.text, wanted.name, directive))
        if it.uri.endswith(".metal")
        else it
        for it in step.files
    )
    return msgspec.structs.replace(step, edits=edits, files=files)


def _directed(text: str, name: str, directive: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.split(newline)
    found: list[str] = []
    for line in lines:
        if line.startswith("REGISTER_") and f"({name}" in line:
            found.append(directive.rstrip("\n"))
        found.append(line)
    return newline.join(found)


def expectation(wanted: NewOperator, has_exec: bool) -> str:
    """Return the claim about a kernel's arguments that its directive makes."""
    names = {
        "unary": ("input",),
        "binary": ("input", "other"),
        "ternary": ("input", "other1", "other2") if has_exec else ("input", "other", "third"),
    }[wanted.kind]
    return f"output == {spelt_in_float(wanted.computed, names)}   (rtol=1e-2, atol=1e-2)"


def spelt(expression: str, names: Sequence[str]) -> str:
    """Return `expression`, of `a`, `b` and `c`, in terms of `names`."""
    values = dict(zip("abc", names, strict=False))
    return "".join(
        values.get(it, it) if it.isalpha() and len(it) == 1 else it for it in _words(expression)
    )


def spelt_in_float(expression: str, names: Sequence[str]) -> str:
    """Return `expression` in terms of tensors, computed in float as kernels compute it."""
    return spelt(expression, [f"{it}.float()" for it in names])


def _words(text: str) -> list[str]:
    found: list[str] = []
    for character in text:
        is_word = character.isalnum() or character == "_"
        if is_word and found and (found[-1][-1].isalnum() or found[-1][-1] == "_"):
            found[-1] += character
        else:
            found.append(character)
    return found


def _test_step(snapshot: Snapshot, wanted: NewOperator) -> Step:
    operands = OPERANDS[wanted.kind]
    text = TEST.format(
        stem=wanted.stem,
        name=wanted.name,
        operands=", ".join("x" if it == "self" else it for it in operands),
        values=", ".join('torch.randn(5, 7, device="mps")' for _ in operands),
        expression=spelt(wanted.computed, ["x", *operands[1:]]),
    )
    file = NewFile(uri_below(snapshot, f"test/test_mps_{wanted.name}.py"), text)
    mind_new(snapshot, (file,))
    return Step(f"Write a test of `{wanted.name}`", files=(file,))


def native_functions_uri(snapshot: Snapshot) -> Uri | None:
    """Return the file of rows, None outside of PyTorch."""
    return next(iter(snapshot.facts(NativeFunctionsFacts)), None)
