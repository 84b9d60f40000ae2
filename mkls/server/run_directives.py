"""What is wrong with the comments that say how to run a kernel."""

from mkls.runner.diagnostics import RunDiagnostic
from mkls.text.document import Document, Language


def directive_diagnostics(document: Document) -> tuple[RunDiagnostic, ...]:
    """Return the problems of the directives in `document`."""
    if document.language is not Language.METAL or "mkls-" not in document.text:
        return ()
    # Few documents have any.
    from mkls.runner.directives import directives  # noqa: PLC0415

    return tuple(
        RunDiagnostic(document.uri, it.span, it.message, "warning", "run-directive", "")
        for it in directives(document.text).problems
    )
