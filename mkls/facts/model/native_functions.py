"""What `native_functions.yaml` states: its entries, each one alone."""

from functools import cached_property

import msgspec

from mkls.facts.model.name import Name
from mkls.syntax.native_functions.function_schema import read_function_schema
from mkls.syntax.native_functions.schema import FunctionSchema
from mkls.syntax.native_functions.signature import signature
from mkls.syntax.problem import Problem
from mkls.text.span import Span

COMPOSITE_IMPLICIT = "CompositeImplicitAutograd"
COMPOSITE_EXPLICIT = "CompositeExplicitAutograd"
COMPOSITE_EXPLICIT_NON_FUNCTIONAL = "CompositeExplicitAutogradNonFunctional"
COMPOSITE_IMPLICIT_NESTED = "CompositeImplicitAutogradNestedTensor"
COMPOSITES = frozenset(
    (
        COMPOSITE_IMPLICIT,
        COMPOSITE_EXPLICIT,
        COMPOSITE_EXPLICIT_NON_FUNCTIONAL,
        COMPOSITE_IMPLICIT_NESTED,
    )
)
"""The dispatch keys that stand for every backend (torchgen's `is_generic_dispatch_key`)."""


class HostFunctionName(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The C++ function behind dispatch keys, as it is written: `add_out_mps`, `a::b_symint`."""

    text: str
    span: Span

    @property
    def symbol(self) -> str:
        """The function's own name; the structured kernel's, for a structured row."""
        return self.text.rpartition("::")[2]

    @property
    def namespace(self) -> str:
        """The C++ namespace that torchgen looks in: `at::native` unless another is written."""
        return (self.text.rpartition("::")[0] or "at") + "::native"

    @property
    def takes_symint(self) -> bool:
        """Whether its signature has `SymInt` where the schema has."""
        return "_symint" in self.symbol


class DispatchLine(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One line of `dispatch`: `CPU, CUDA: add_out`; `lines` are its whole lines."""

    keys: tuple[Name, ...]
    function: HostFunctionName | None
    lines: Span

    @property
    def is_shared(self) -> bool:
        """Whether several dispatch keys name one function."""
        return len(self.keys) > 1


class KeyLines(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A key of an entry and the whole lines that it takes, their endings included."""

    name: Name
    lines: Span


class UfuncLoop(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A line of `ufunc_inner_loop`: `Generic: add (AllAndComplex, Half)`; `key` as written."""

    key: Name | None
    function: Name


class Entry(msgspec.Struct, frozen=True, dict=True, kw_only=True):
    """One row of `native_functions.yaml`; spans count from the start of the entry's text.

    `operator` is the row's identity, `add_.Tensor`, with its place; `base` is what the variants
    of an operator share, `add`. `func` is the whole schema as it is written. `end` is where the
    last key's lines end: new lines go there.
    """

    func: Name | None = None
    operator: Name | None = None
    base: str = ""
    namespace: str = "aten"
    is_inplace: bool = False
    schema_start: int = -1
    """Where the schema's text starts, -1 when it does not stand in one piece."""
    keys: tuple[KeyLines, ...] = ()
    dispatch: tuple[DispatchLine, ...] = ()
    has_dispatch: bool = False
    structured: bool = False
    structured_delegate: Name | None = None
    structured_inherits: Name | None = None
    autogen: tuple[Name, ...] = ()
    ufunc_inner_loop: tuple[UfuncLoop, ...] = ()
    precomputed: tuple[Name, ...] = ()
    variants: tuple[Name, ...] = ()
    tags: tuple[Name, ...] = ()
    cpp_no_default_args: tuple[Name, ...] = ()
    python_module: Name | None = None
    category_override: Name | None = None
    device_check: Name | None = None
    device_guard: bool = True
    manual_cpp_binding: bool = False
    manual_kernel_registration: bool = False
    use_const_ref_for_mutable_tensors: bool = False
    end: int = 0
    is_cut_off: bool = False
    """Whether the last key's last line has no line ending: the file ends there."""
    problems: tuple[Problem, ...] = ()
    """What is wrong with the YAML and with the values of keys."""
    schema_problems: tuple[Problem, ...] = ()
    """What is wrong with the schema."""

    @cached_property
    def schema(self) -> FunctionSchema:
        """The schema; its spans count from `schema_start`."""
        return read_function_schema(self.func.text if self.func else "")

    @cached_property
    def type_names(self) -> tuple[Name, ...]:
        """Every base type that the schema names, with its place."""
        if self.schema_start < 0:
            return ()
        schema = self.schema
        return tuple(
            Name(it.declaration.base, Span(start, start + len(it.declaration.base)))
            for it in (*schema.arguments, *schema.returns)
            for start in (self.schema_start + it.start,)
            if it.declaration.base
        )

    @cached_property
    def signature(self) -> str:
        """What the functional, in-place, out and mutable variant of one operator share."""
        return signature(self.schema)

    @cached_property
    def dispatch_lines(self) -> dict[str, DispatchLine]:
        """The line of each dispatch key; the last one where a key is written twice."""
        return {key.text: line for line in self.dispatch for key in line.keys}

    @cached_property
    def composite(self) -> str | None:
        """The composite dispatch key that serves MPS where MPS itself is not listed.

        A row that neither lists a key nor belongs to a structured group is composite implicit.
        """
        lines = self.dispatch_lines
        for key in (COMPOSITE_EXPLICIT_NON_FUNCTIONAL, COMPOSITE_EXPLICIT, COMPOSITE_IMPLICIT):
            if key in lines:
                return key
        alone = not self.has_dispatch and not self.structured and not self.structured_delegate
        return COMPOSITE_IMPLICIT if alone and not self.manual_kernel_registration else None

    def key(self, name: str) -> KeyLines | None:
        """Return where the key called `name` stands."""
        return next((it for it in self.keys if it.name.text == name), None)

    def key_name(self, dispatch_key: str) -> Name | None:
        """Return where `dispatch_key` is written in `dispatch`."""
        line = self.dispatch_lines.get(dispatch_key)
        return next((it for it in line.keys if it.text == dispatch_key), None) if line else None


class PlacedEntry(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An entry, and where its text starts in the document."""

    start: int
    entry: Entry

    def place(self, span: Span) -> Span:
        """Return a span of the entry as a span of the document."""
        return span.shifted(self.start)


class NativeFunctionsFacts(msgspec.Struct, frozen=True):
    """The entries of `native_functions.yaml` in order, and problems outside of all of them.

    `newline` is how the file's lines end: what fixes insert ends like that too.
    """

    entries: tuple[PlacedEntry, ...] = ()
    problems: tuple[Problem, ...] = ()
    newline: str = "\n"
