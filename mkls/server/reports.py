"""What is to be shown about each document of a workspace."""

from collections.abc import Callable
from hashlib import blake2b

import msgspec

from mkls.diagnostics.compiler import COMPILER_RULES
from mkls.diagnostics.model import Finding, Severity
from mkls.features.diagnostics import RuleTable, findings, rule_table
from mkls.index.snapshot import Snapshot
from mkls.rules import RULES
from mkls.runner.diagnostics import RunDiagnostic
from mkls.server.compiler_results import CompilerResults
from mkls.server.run_directives import directive_diagnostics
from mkls.server.run_results import RunResults
from mkls.session.config import Config
from mkls.text.document import Uri, path_of
from mkls.text.span import Span

Failed = Callable[[str, Exception], None]
"""Called with what has raised, and what it raised."""
MOST = 1000  # per document: editors do not get faster by more, and sending 10,000 takes 0.1 s


class Shown(msgspec.Struct, frozen=True):
    """A finding, as loudly as the user wants it."""

    finding: Finding
    severity: Severity


class Report(msgspec.Struct, frozen=True):
    """What to show about one document.

    `result_id` is a digest of what the client gets to see: equal ids, equal reports, even from
    another run of the server. `left_out` counts the findings beyond what is shown; `ran` is what
    runs of kernels have shown.
    """

    result_id: str
    shown: tuple[Shown, ...]
    left_out: int = 0
    ran: tuple[RunDiagnostic, ...] = ()


EMPTY = Report("0", ())


class Reports:
    """The reports of one workspace, each made once for each snapshot."""

    def __init__(self, failed: Failed) -> None:
        """Start with the default configuration; `failed` is told of rules that raise."""
        self._failed = failed
        self._snapshot: Snapshot | None = None
        self._made: dict[Uri, Report] = {}
        self.results = RunResults()
        self.compiled = CompilerResults()
        self.configure(Config())

    def configure(self, config: Config) -> None:
        """Report what `config` selects from now on."""
        self._selection = config.selection
        self._rules: RuleTable = rule_table(config.selection.rules(RULES))
        self._of_compiler = {rule.code for rule in config.selection.rules(COMPILER_RULES)}
        self._made.clear()

    def forget(self) -> None:
        """Make every report again: the results of runs have changed."""
        self._made.clear()

    def of(self, snapshot: Snapshot, uri: Uri) -> Report:
        """Return the report about `uri`."""
        if snapshot is not self._snapshot:
            self._snapshot = snapshot
            self._made.clear()
        report = self._made.get(uri)
        if report is None:
            ran = self._ran(snapshot, uri)
            report = self._made[uri] = _with_runs(snapshot, self._report(snapshot, uri), ran)
        return report

    def _ran(self, snapshot: Snapshot, uri: Uri) -> tuple[RunDiagnostic, ...]:
        source = snapshot.sources.get(uri)
        problems = directive_diagnostics(source.document) if source else ()
        return (*self.results.diagnostics(snapshot, uri), *problems)

    def _report(self, snapshot: Snapshot, uri: Uri) -> Report:
        judged = self.compiled.of(snapshot, uri)
        kept_of_compiler = (it for it in judged if it.rule.code in self._of_compiler)
        found = [*self._findings(snapshot, uri), *kept_of_compiler]
        if not found:
            return EMPTY
        path = path_of(uri).removeprefix(f"{path_of(snapshot.root)}/")
        kept = [
            Shown(it, self._selection.severity(it))
            for it in found
            if not self._selection.ignored_in(it.rule, path)
        ]
        if not kept:
            return EMPTY
        shown = tuple(_worst(kept))
        return Report(_digest(snapshot, shown), shown, len(kept) - len(shown))

    def _findings(self, snapshot: Snapshot, uri: Uri) -> list[Finding]:
        try:
            return findings(snapshot, uri, self._rules)
        except Exception:
            # A rule has a fault: the others still count.
            listed = self._rules[snapshot.sources[uri].document.language]
            alone = (rule_table((rule,)) for rule in listed)
            return [it for table in alone for it in self._guarded(snapshot, uri, table)]

    def _guarded(self, snapshot: Snapshot, uri: Uri, table: RuleTable) -> list[Finding]:
        try:
            return findings(snapshot, uri, table)
        except Exception as error:
            rules = {rule.code for listed in table.values() for rule in listed}
            self._failed(f"rule {', '.join(rules)}", error)
            return []


def _with_runs(snapshot: Snapshot, report: Report, ran: tuple[RunDiagnostic, ...]) -> Report:
    if not ran:
        return report
    content = [
        (
            *(it.code, it.severity, it.message, _place(snapshot, it.uri, it.span)),
            [(near.message, _place(snapshot, near.uri, near.span)) for near in it.related],
        )
        for it in ran
    ]
    digest = blake2b(msgspec.msgpack.encode((report.result_id, content)), digest_size=8)
    return msgspec.structs.replace(report, result_id=digest.hexdigest(), ran=ran)


def _worst(kept: list[Shown]) -> list[Shown]:
    if len(kept) <= MOST:
        return kept
    levels = list(Severity)
    return sorted(kept, key=lambda it: levels.index(it.severity))[:MOST]


def _digest(snapshot: Snapshot, shown: tuple[Shown, ...]) -> str:
    content = [
        (
            it.finding.rule.code,
            it.severity.value,
            it.finding.diagnostic.message,
            it.finding.diagnostic.unnecessary,
            _place(snapshot, it.finding.uri, it.finding.diagnostic.span),
            [
                (near.uri, near.message, _place(snapshot, near.uri, near.span))
                for near in it.finding.diagnostic.related
            ],
            [fix.title for fix in it.finding.diagnostic.fixes],
        )
        for it in shown
    ]
    return blake2b(msgspec.msgpack.encode(content), digest_size=8).hexdigest()


def _place(snapshot: Snapshot, uri: Uri, span: Span) -> object:
    source = snapshot.sources.get(uri)
    return source.document.lines.range(span) if source else None
