"""The vocabulary of rules."""

from collections.abc import Callable, Iterator
from enum import Enum

import msgspec

from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Language, Uri
from mkls.text.edit import Edit
from mkls.text.span import Span

HOMEPAGE = "https://github.com/mkls/mkls"
MANUAL_URL = HOMEPAGE + "/blob/main/mkls/manual/{code}.md"


class Severity(Enum):
    """How loudly a diagnostic is shown."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


class Group(Enum):
    """Rules that users select together, by the layer of which they speak."""

    DISPATCH = "dispatch"
    STUB = "stub"
    KERNEL_NAME = "kernel-name"
    BINDING = "binding"
    KERNEL_BODY = "kernel-body"
    MPSGRAPH = "mpsgraph"
    TESTS = "tests"
    MSL = "msl"
    EXTENSION = "extension"


class FileEdit(msgspec.Struct, frozen=True):
    """An edit of one document."""

    uri: Uri
    edit: Edit


class Fix(msgspec.Struct, frozen=True):
    """Edits, of one or several documents, that make a diagnostic go away.

    `title` is an order. A fix is `safe` when it cannot change what correct code does.
    """

    title: str
    edits: tuple[FileEdit, ...]
    safe: bool = True


class Related(msgspec.Struct, frozen=True):
    """Another place that takes part in a mistake, and the part that it plays."""

    uri: Uri
    span: Span
    message: str


class Diagnostic(msgspec.Struct, frozen=True):
    """A claim about one span of one document: a fact in lower case without a full stop."""

    span: Span
    message: str
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    unnecessary: bool = False
    severity: Severity | None = None
    """Overrides the rule's severity, for the milder cases of a rule."""


Check = Callable[[Snapshot, Source], Iterator[Diagnostic]]


class Rule(msgspec.Struct, frozen=True):
    """A check, under the code by which users select it, suppress it and look it up.

    `languages` are those of the documents that `check` wants to see. A rule that is not `default`
    runs only when it is selected. `in_strings` says that a rule for Metal judges a source by
    itself, so that it can look at one in a string, too; rules about bodies do anyway.
    """

    code: str
    group: Group
    severity: Severity
    languages: frozenset[Language]
    check: Check
    doc: str
    default: bool = True
    in_strings: bool = False

    @property
    def works_in_strings(self) -> bool:
        """Whether it looks at Metal sources in strings of host code and of Python."""
        return self.in_strings or self.group in (Group.KERNEL_BODY, Group.MSL)

    @property
    def page(self) -> str:
        """The manual's page, in Markdown."""
        return self.doc.strip()

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.page.partition("\n")[0]

    @property
    def url(self) -> str:
        """Where the page can be read."""
        return MANUAL_URL.format(code=self.code)


class Finding(msgspec.Struct, frozen=True):
    """A diagnostic with where it is and the rule that found it."""

    uri: Uri
    rule: Rule
    diagnostic: Diagnostic

    @property
    def severity(self) -> Severity:
        """The severity with which to show it, before configuration."""
        return self.diagnostic.severity or self.rule.severity
