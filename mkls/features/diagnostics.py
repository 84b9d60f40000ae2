"""Run rules over documents."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from mkls.diagnostics.model import FileEdit, Finding, Rule
from mkls.diagnostics.suppression import Suppressions
from mkls.features.diagnostics_in_strings import findings_in_strings
from mkls.index.snapshot import Snapshot
from mkls.rules import RULES
from mkls.text.document import Language, Uri
from mkls.text.line_ends import with_newlines

_WITH_STRINGS = frozenset((Language.HOST, Language.CPP, Language.PYTHON))

RuleTable = Mapping[Language, tuple[Rule, ...]]


def rule_table(rules: Iterable[Rule]) -> RuleTable:
    """Arrange `rules` by the languages that they look at."""
    listed = tuple(rules)
    return {
        language: tuple(rule for rule in listed if language in rule.languages)
        for language in Language
    }


ALL_RULES = rule_table(RULES)
DEFAULT_RULES = rule_table(rule for rule in RULES if rule.default)


def findings(snapshot: Snapshot, uri: Uri, rules: RuleTable = DEFAULT_RULES) -> list[Finding]:
    """Return what `rules` report about `uri`, in the order of the text, less what is silenced."""
    source = snapshot.sources.get(uri)
    if source is None or uri in snapshot.library:
        return []
    found = [
        Finding(uri, rule, diagnostic)
        for rule in rules[source.document.language]
        for diagnostic in rule.check(snapshot, source)
    ]
    if source.document.language in _WITH_STRINGS:
        found += findings_in_strings(snapshot, uri, rules[Language.METAL])
    if not found:
        return []
    suppressions = Suppressions(source.document)
    kept = (it for it in found if not suppressions.silence(it.rule, it.diagnostic.span))
    ordered = sorted(kept, key=lambda it: (it.diagnostic.span, it.rule.code))
    return [_with_line_ends(snapshot, it) if it.diagnostic.fixes else it for it in ordered]


def _with_line_ends(snapshot: Snapshot, found: Finding) -> Finding:
    r"""Return `found` with fixes that end their lines as the documents do which they edit.

    Where `\r` alone ends a line there are none: fixes look for the lines to edit by `\n`.
    """
    fixes = tuple(
        replace(fix, edits=tuple(_ended(snapshot, it) for it in fix.edits))
        for fix in found.diagnostic.fixes
        if not any(_has_lone_returns(snapshot, it) for it in fix.edits)
    )
    return replace(found, diagnostic=replace(found.diagnostic, fixes=fixes))


def _has_lone_returns(snapshot: Snapshot, it: FileEdit) -> bool:
    source = snapshot.sources.get(it.uri)
    return source is not None and with_newlines(source.document.text) is not source.document.text


def _ended(snapshot: Snapshot, it: FileEdit) -> FileEdit:
    new_text, source = it.edit.new_text, snapshot.sources.get(it.uri)
    if source is None or "\n" not in new_text or "\r\n" not in source.document.text:
        return it
    ended = new_text.replace("\r\n", "\n").replace("\n", "\r\n")
    return replace(it, edit=replace(it.edit, new_text=ended))


def all_findings(
    snapshot: Snapshot, uris: Iterable[Uri], rules: RuleTable = DEFAULT_RULES
) -> list[Finding]:
    """Return what `rules` report about each of `uris`, file by file."""
    return [found for uri in uris for found in findings(snapshot, uri, rules)]


def workspace_findings(snapshot: Snapshot) -> list[Finding]:
    """Return what the default rules report about every document; ask through `Snapshot.once`."""
    return all_findings(snapshot, snapshot.sources)
