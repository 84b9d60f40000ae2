"""A function schema, with the place of each of its parts."""

from enum import Enum

import msgspec

from mkls.syntax.native_functions.declaration import Declaration
from mkls.syntax.native_functions.operator_name import OperatorName
from mkls.syntax.problem import Problem
from mkls.text.span import Span


class ArgumentKind(Enum):
    """How an argument is passed."""

    POSITIONAL = "positional"
    KEYWORD_ONLY = "keyword-only"
    OUT = "out"
    """Keyword-only and written to (torchgen's Note [is_out_fn])."""


class SchemaKind(Enum):
    """Which variant of an operator a schema is (torchgen's `SchemaKind`)."""

    FUNCTIONAL = "functional"
    INPLACE = "in-place"
    OUT = "out"
    MUTABLE = "mutable"
    SCRATCH = "scratch"


class _Declared(msgspec.Struct, frozen=True, gc=False):
    """A declaration at an offset of the schema's text."""

    declaration: Declaration
    start: int

    @property
    def span(self) -> Span:
        """All that is written."""
        return Span(self.start, self.start + len(self.declaration.text))

    @property
    def name(self) -> str | None:
        """The name, which a return need not have."""
        return self.declaration.name

    @property
    def name_span(self) -> Span:
        """Where the name stands."""
        return self.declaration.name_span.shifted(self.start)

    @property
    def type_span(self) -> Span:
        """Where the type stands, its alias annotation included."""
        return self.declaration.type_span.shifted(self.start)

    @property
    def annotation_span(self) -> Span:
        """Where the alias annotation stands, without its parentheses."""
        return self.declaration.annotation_span.shifted(self.start)

    @property
    def default_span(self) -> Span:
        """Where the default stands, without the `=`."""
        return self.declaration.default_span.shifted(self.start)


class Argument(_Declared, frozen=True, gc=False):
    """An argument of a schema."""

    kind: ArgumentKind = ArgumentKind.POSITIONAL


class Return(_Declared, frozen=True, gc=False):
    """What a schema returns."""


class FunctionSchema(msgspec.Struct, frozen=True, gc=False):
    """A schema: spans count from the start of `text`.

    `arguments_span` lies between the parentheses, `returns_span` after the arrow. `has_aliases`
    tells whether any argument or return has an alias annotation.
    """

    text: str
    name: OperatorName
    arguments_span: Span
    returns_span: Span
    arguments: tuple[Argument, ...]
    returns: tuple[Return, ...]
    has_aliases: bool = False
    problems: tuple[Problem, ...] = ()

    @property
    def positional(self) -> list[Argument]:
        """The arguments before the star."""
        return [it for it in self.arguments if it.kind is ArgumentKind.POSITIONAL]

    @property
    def out(self) -> list[Argument]:
        """The arguments that the results are written to."""
        if not self.has_aliases:
            return []
        return [it for it in self.arguments if it.kind is ArgumentKind.OUT]

    @property
    def self_argument(self) -> Argument | None:
        """The positional argument called `self`."""
        for it in self.arguments:
            if it.kind is not ArgumentKind.POSITIONAL:
                return None
            if it.declaration.name == "self":
                return it
        return None

    @property
    def after_self(self) -> list[Argument]:
        """The positional arguments after `self`; all of them when there is no `self`."""
        positional = self.positional
        for index, it in enumerate(positional):
            if it.declaration.name == "self":
                return positional[index + 1 :]
        return positional

    @property
    def kind(self) -> SchemaKind:
        """Which variant of its operator it is (torchgen's `FunctionSchema.kind`)."""
        if self.name.is_inplace:
            return SchemaKind.INPLACE
        if not self.has_aliases:
            return SchemaKind.FUNCTIONAL
        out = self.out
        if out:
            scratch = any((it.name or "").startswith("_scratch_") for it in out)
            return SchemaKind.SCRATCH if scratch else SchemaKind.OUT
        written = any(it.declaration.is_write for it in self.after_self)
        return SchemaKind.MUTABLE if written else SchemaKind.FUNCTIONAL
