"""Run the rules for Metal over the sources that stand in strings of host code and of Python."""

from collections.abc import Iterable, Iterator

import msgspec

from mkls.diagnostics.model import Diagnostic, FileEdit, Finding, Fix, Related, Rule
from mkls.index.inline_shaders import InlineShader, editable_place, real_place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.edit import Edit
from mkls.text.span import Span


def findings_in_strings(snapshot: Snapshot, uri: Uri, rules: Iterable[Rule]) -> Iterator[Finding]:
    """Yield what `rules` report about the Metal sources in the strings of `uri`."""
    shaders = [it for it in snapshot.inline_shaders.values() if it.host == uri]
    if not shaders:
        return
    own = tuple(rule for rule in rules if rule.works_in_strings)
    inner = snapshot.within_strings(uri)
    seen: set[tuple[str, Span]] = set()
    for shader in shaders:
        # The names that fill the holes of a format string stand for any type.
        if shader.is_format or shader.uri not in inner.sources:
            continue
        for found in _findings(inner, shader, own):
            key = (found.rule.code, found.diagnostic.span)
            if key not in seen:
                seen.add(key)
                yield found


def _findings(inner: Snapshot, shader: InlineShader, rules: Iterable[Rule]) -> Iterator[Finding]:
    source = inner.sources[shader.uri]
    for rule in rules:
        for diagnostic in rule.check(inner, source):
            yield Finding(shader.host, rule, _placed(shader.uri, diagnostic))


def _placed(uri: Uri, diagnostic: Diagnostic) -> Diagnostic:
    """Return `diagnostic` with all its places as an editor knows them."""
    return msgspec.structs.replace(
        diagnostic,
        span=real_place(uri, diagnostic.span).span,
        related=tuple(_related(it) for it in diagnostic.related),
        fixes=tuple(fix for it in diagnostic.fixes if (fix := _fix(it))),
    )


def _related(related: Related) -> Related:
    place = real_place(related.uri, related.span)
    return Related(place.uri, place.span, related.message)


def _fix(fix: Fix) -> Fix | None:
    """Return `fix` for the real documents, None where what it changes is not written as such."""
    edits: list[FileEdit] = []
    for it in fix.edits:
        place = editable_place(it.uri, it.edit.span)
        if place is None or (place.uri != it.uri and _needs_escapes(it.edit.new_text)):
            return None
        edits.append(FileEdit(place.uri, Edit(place.span, it.edit.new_text)))
    return Fix(fix.title, tuple(edits), fix.safe)


def _needs_escapes(text: str) -> bool:
    return any(sign in text for sign in "\"'\\{}%\n")
