"""What a generator answers: a plan in steps, or a refusal with its reason."""

from collections.abc import Iterable
from enum import Enum

import msgspec

from mkls.diagnostics.model import FileEdit
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.edit import Edit, apply_edits


class NewFile(msgspec.Struct, frozen=True):
    """A file that does not exist yet."""

    uri: Uri
    text: str


class Step(msgspec.Struct, frozen=True):
    """Edits under one order as title. `doubt` says what a person should look at, "" for nothing."""

    title: str
    edits: tuple[FileEdit, ...] = ()
    files: tuple[NewFile, ...] = ()
    doubt: str = ""


class Plan(msgspec.Struct, frozen=True):
    """Steps that belong together, and what is left for a person to do."""

    title: str
    steps: tuple[Step, ...]
    todo: tuple[str, ...] = ()

    @property
    def edits(self) -> tuple[FileEdit, ...]:
        """The edits of all steps."""
        return tuple(edit for step in self.steps for edit in step.edits)

    @property
    def files(self) -> tuple[NewFile, ...]:
        """The new files of all steps."""
        return tuple(file for step in self.steps for file in step.files)


class Reason(Enum):
    """Why nothing is generated."""

    UNKNOWN_OPERATOR = "no such operator"
    NOTHING_TO_DO = "nothing to do"
    BROKEN_ROW = "the row cannot be read"
    BACKENDS_DIFFER = "CPU and CUDA run different functions"
    UFUNC = "a ufunc loop makes the CPU and CUDA kernels"
    NO_STUB = "the shared function calls no stub"
    NOT_ELEMENTWISE = "the stub is not elementwise"
    STUB_UNKNOWN = "the stub's type is not known"
    PARAMETERS = "no exec function takes the stub's parameters"
    SPECIAL_RESULT = "the result needs a kernel of its own"
    STILL_USED = "code still refers to the legacy function"
    NOT_FOUND = "the legacy function is not found in one place"
    NOT_TEXT = "a file cannot be edited"
    HALF_TYPED = "a file is half-typed where the edit would go"
    EXISTS = "the name is taken"
    BAD_NAME = "the name is no identifier"


class Refusal(msgspec.Struct, frozen=True):
    """Why nothing is generated: `message` is a sentence for people, about names."""

    reason: Reason
    message: str


class RefusedError(Exception):
    """Ends the making of a plan; `refusal` is what the generator answers."""

    def __init__(self, reason: Reason, message: str) -> None:
        """Refuse for `reason`."""
        super().__init__(message)
        self.refusal = Refusal(reason, message)


def changed_texts(snapshot: Snapshot, plan: Plan) -> dict[Uri, str]:
    """Return the text of each file that `plan` changes or makes, afterwards."""
    by_uri: dict[Uri, list[Edit]] = {}
    for it in plan.edits:
        by_uri.setdefault(it.uri, []).append(it.edit)
    texts = {
        uri: apply_edits(snapshot.sources[uri].document.text, edits)
        for uri, edits in by_uri.items()
    }
    return texts | {file.uri: file.text for file in plan.files}


def only_needed(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Return those of `steps` that do something."""
    return tuple(step for step in steps if step.edits or step.files)
