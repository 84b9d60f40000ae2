"""Run rules over documents."""

from collections.abc import Iterable, Mapping

from mkls.diagnostics.model import Finding, Rule
from mkls.diagnostics.suppression import Suppressions
from mkls.index.snapshot import Snapshot
from mkls.rules import RULES
from mkls.text.document import Language, Uri

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
    if not found:
        return []
    suppressions = Suppressions(source.document)
    kept = (it for it in found if not suppressions.silence(it.rule, it.diagnostic.span))
    return sorted(kept, key=lambda it: (it.diagnostic.span, it.rule.code))


def all_findings(
    snapshot: Snapshot, uris: Iterable[Uri], rules: RuleTable = DEFAULT_RULES
) -> list[Finding]:
    """Return what `rules` report about each of `uris`, file by file."""
    return [found for uri in uris for found in findings(snapshot, uri, rules)]
