"""Which rules run, and how loudly they speak."""

from collections.abc import Collection, Iterable, Mapping
from fnmatch import fnmatchcase

import msgspec

from mkls.diagnostics.model import Finding, Rule, Severity


class Selection(msgspec.Struct, frozen=True):
    """The user's choice among the rules; names are codes, groups, or `all`.

    `select` None means the rules that are on by default. `per_file_ignores` maps a glob of the
    path below the root to names. A code named outright wins over the group that holds it.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = {}
    per_file_ignores: Mapping[str, tuple[str, ...]] = {}

    def rules(self, rules: Iterable[Rule]) -> tuple[Rule, ...]:
        """Return those of `rules` that run."""
        return tuple(rule for rule in rules if self._runs(rule))

    def _runs(self, rule: Rule) -> bool:
        chosen = (*(self.select or ()), *self.extend_select)
        if rule.code in self.ignore:
            return False
        if rule.code in chosen:
            return True
        if _names(rule, self.ignore):
            return False
        by_default = rule.default and self.select is None
        return by_default or "all" in chosen or (rule.default and rule.group.value in chosen)

    def ignored_in(self, rule: Rule, path: str) -> bool:
        """Whether `rule` is ignored in the file at `path`, relative to the root."""
        return any(
            _names(rule, names)
            for pattern, names in self.per_file_ignores.items()
            if fnmatchcase(path, pattern)
        )

    def severity(self, finding: Finding) -> Severity:
        """Return how loudly to show `finding`."""
        by_group = self.severities.get(finding.rule.group.value, finding.severity)
        return self.severities.get(finding.rule.code, by_group)


def _names(rule: Rule, names: Collection[str]) -> bool:
    return rule.code in names or rule.group.value in names or "all" in names


def unknown_names(names: Iterable[str], rules: Iterable[Rule]) -> list[str]:
    """Return those of `names` that are no code, no group and not `all`."""
    known = {"all"}
    for rule in rules:
        known |= {rule.code, rule.group.value}
    return [name for name in names if name not in known]
