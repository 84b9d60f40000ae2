"""What the Metal compiler said last about open sources, carried along while they are edited."""

from collections.abc import Iterable, Mapping

import msgspec

from mkls.diagnostics.model import Diagnostic, Finding, Related
from mkls.index.snapshot import Snapshot
from mkls.server.text_difference import Difference, difference
from mkls.text.document import Uri


class Judgement(msgspec.Struct, frozen=True):
    """What was found when `texts` were compiled."""

    findings: tuple[Finding, ...]
    texts: Mapping[Uri, str]

    def carried_to(self, snapshot: Snapshot) -> "Judgement":
        """Return this with the places that it is about now, less what has been edited."""
        judgement = self
        for uri, text in self.texts.items():
            source = snapshot.sources.get(uri)
            new = source.document.text if source else ""
            if new is not text and new != text:
                judgement = judgement._edited(uri, difference(text, new), new)
        return judgement

    def _edited(self, uri: Uri, change: Difference, text: str) -> "Judgement":
        kept = (
            _moved(it, uri, change)
            for it in self.findings
            if it.uri != uri or not change.touches(it.diagnostic.span)
        )
        return Judgement(tuple(kept), {**self.texts, uri: text})


def _moved(found: Finding, uri: Uri, change: Difference) -> Finding:
    old = found.diagnostic
    related = tuple(
        Related(it.uri, change.moved(it.span), it.message) if it.uri == uri else it
        for it in old.related
    )
    span = change.moved(old.span) if found.uri == uri else old.span
    new = Diagnostic(span, old.message, related=related, severity=old.severity)
    return Finding(found.uri, found.rule, new)


class CompilerResults:
    """The newest judgement about each unit of one workspace."""

    def __init__(self) -> None:
        """Start without any."""
        self._judgements: dict[Uri, Judgement] = {}
        self._snapshot: Snapshot | None = None

    def add(self, snapshot: Snapshot, unit: Uri, findings: Iterable[Finding]) -> None:
        """Take in what was found when `unit` of `snapshot` was compiled."""
        listed = tuple(findings)
        uris = {it.uri for it in listed}
        uris |= {near.uri for it in listed for near in it.diagnostic.related}
        sources = snapshot.sources
        texts = {it: sources[it].document.text for it in uris if it in sources}
        self._judgements[unit] = Judgement(listed, texts)
        self._snapshot = None

    def forget(self, unit: Uri | None = None) -> bool:
        """Drop the judgement about `unit`, by default all; return whether there was one."""
        had = bool(self._judgements) if unit is None else unit in self._judgements
        if unit is None:
            self._judgements.clear()
        else:
            self._judgements.pop(unit, None)
        return had

    def of(self, snapshot: Snapshot, uri: Uri) -> list[Finding]:
        """Return what was found in document `uri`, each thing once."""
        if snapshot is not self._snapshot:
            self._snapshot = snapshot
            for unit, judgement in self._judgements.items():
                self._judgements[unit] = judgement.carried_to(snapshot)
        found = {
            (it.rule.code, it.diagnostic.span, it.diagnostic.message): it
            for judgement in self._judgements.values()
            for it in judgement.findings
            if it.uri == uri
        }
        return list(found.values())
