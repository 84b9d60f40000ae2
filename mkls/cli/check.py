"""`mkls check`: report what is wrong, and mend it on request."""

import argparse
import sys
from importlib import import_module
from pathlib import Path

from mkls.cli.compiler import compiler_findings_of
from mkls.cli.fixing import fix_all, unified_diff
from mkls.cli.formats import concise, full
from mkls.cli.main import UsageError
from mkls.cli.path_lists import named_paths
from mkls.cli.places import place, shown_path
from mkls.cli.report import Report, report
from mkls.cli.style import Style
from mkls.cli.workspace import Workspace, open_workspace
from mkls.diagnostics.model import Finding
from mkls.diagnostics.selection import Selection, unknown_names
from mkls.diagnostics.suppression import Suppressions
from mkls.features.diagnostics import RuleTable, all_findings, rule_table
from mkls.rules import KNOWN_RULES, RULES
from mkls.session.disk import write_text
from mkls.text.document import path_of
from mkls.text.wording import counted

HELP = "check files, folders or a whole PyTorch checkout"

_MACHINE_FORMATS = ("json", "sarif", "github", "lintrunner")
_PEOPLE_FORMATS = {"full": full.render, "concise": concise.render}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `mkls check`."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files, folders, or @FILE with one on each line; default: here",
    )
    parser.add_argument("--root", metavar="DIR", help="the workspace's root")
    parser.add_argument("--select", metavar="CODES", help="run these rules or groups only")
    parser.add_argument("--extend-select", metavar="CODES", help="run these as well")
    parser.add_argument("--ignore", metavar="CODES", help="do not run these")
    parser.add_argument("--fix", action="store_true", help="apply the safe fixes")
    parser.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix or --diff: also fixes that may change behaviour",
    )
    parser.add_argument("--diff", action="store_true", help="print what --fix would do as a patch")
    parser.add_argument(
        "--output-format",
        choices=(*_PEOPLE_FORMATS, *_MACHINE_FORMATS),
        default="full",
        help="default: full",
    )
    parser.add_argument("--exit-zero", action="store_true", help="status 0 in spite of findings")
    parser.add_argument(
        "--msl",
        action="store_true",
        help="ask the Metal compiler about all files; default: those named or changed",
    )
    parser.add_argument("--no-msl", action="store_true", help="leave the Metal compiler out")


def run(options: argparse.Namespace) -> int:
    """Check, print, and return 1 when something was found."""
    if options.msl and options.no_msl:
        raise UsageError("--msl and --no-msl exclude each other")
    if options.fix and options.diff:
        raise UsageError("--fix and --diff exclude each other: --diff shows what --fix would do")
    paths = named_paths(options.paths)
    if options.paths and not paths:
        _print(Report(Path.cwd(), (), 0), options.output_format)  # not the current folder's files
        return 0
    workspace = open_workspace(paths, options.root)
    selection = _selection(options, workspace.config.selection)
    rules = rule_table(selection.rules(RULES))
    if options.fix or options.diff:
        changed = _fix(workspace, rules, options)
        if options.diff:
            return _status(changed, options)
    _tell_of_unknown_codes(workspace)
    judged = compiler_findings_of(workspace, selection, _msl(options), paths)
    result = _report(workspace, rules, selection, judged)
    _print(result, options.output_format)
    return _status(bool(result.findings), options)


def _tell_of_unknown_codes(workspace: Workspace) -> None:
    """Say which comments silence what there is not."""
    snapshot = workspace.session.snapshot()
    for uri in workspace.wanted:
        codes = dict(Suppressions(snapshot.sources[uri].document).codes)
        for code in unknown_names(codes, KNOWN_RULES) if codes else ():
            where = place(snapshot, uri, codes[code])
            lack = f"`{code}` is no rule and no group; `mkls rules` lists them"
            path = shown_path(where.path, workspace.root)
            print(f"mkls: {path}:{where.line}: {lack}", file=sys.stderr)


def _status(found: bool, options: argparse.Namespace) -> int:
    return int(found and not options.exit_zero)


def _selection(options: argparse.Namespace, configured: Selection) -> Selection:
    select, extend, ignore = (
        _codes(getattr(options, name)) for name in ("select", "extend_select", "ignore")
    )
    if unknown := unknown_names((*(select or ()), *(extend or ()), *(ignore or ())), KNOWN_RULES):
        raise UsageError(f"`{unknown[0]}` is no rule and no group; `mkls rules` lists them")
    return Selection(
        select=configured.select if select is None else select,
        ignore=(*configured.ignore, *(ignore or ())),
        extend_select=(*configured.extend_select, *(extend or ())),
        severities=configured.severities,
        per_file_ignores=configured.per_file_ignores,
    )


def _codes(listed: str | None) -> tuple[str, ...] | None:
    if listed is None:
        return None
    return tuple(code.strip() for code in listed.split(",") if code.strip())


def _fix(workspace: Workspace, rules: RuleTable, options: argparse.Namespace) -> bool:
    changes = fix_all(workspace.session, workspace.wanted, rules, options.unsafe_fixes)
    if options.diff:
        sys.stdout.write(unified_diff(changes, workspace.root))
        return bool(changes)
    for uri, (_, text) in changes.items():
        try:
            write_text(Path(path_of(uri)), text)
        except OSError as error:
            raise UsageError(f"cannot write {path_of(uri)}: {error.strerror}") from error
    if changes:
        print(f"fixed {counted(len(changes), 'file')}", file=sys.stderr)
    return bool(changes)


def _msl(options: argparse.Namespace) -> str | None:
    return "all" if options.msl else "off" if options.no_msl else None


def _report(
    workspace: Workspace, rules: RuleTable, selection: Selection, judged: list[Finding]
) -> Report:
    snapshot = workspace.session.snapshot()
    found = [*all_findings(snapshot, workspace.wanted, rules), *judged]
    result = report(snapshot, found, selection, len(workspace.wanted))
    kept = (
        it
        for it in result.findings
        if not selection.ignored_in(_RULES_BY_CODE[it.code], it.place.path)
    )
    return Report(result.root, tuple(kept), result.files)


_RULES_BY_CODE = {rule.code: rule for rule in KNOWN_RULES}


def _print(result: Report, output_format: str) -> None:
    if output_format in _MACHINE_FORMATS:
        sys.stdout.write(import_module(f"mkls.cli.formats.{output_format}").render(result))
        return
    sys.stdout.write(_PEOPLE_FORMATS[output_format](result, Style.of(sys.stdout)))
    sys.stdout.flush()
    print(_summary(result, Style.of(sys.stderr)), file=sys.stderr)


def _summary(result: Report, style: Style) -> str:
    files = counted(result.files, "file")
    if not result.findings:
        return style.good(f"nothing to report in {files}")
    found = f"{counted(len(result.findings), 'finding')} in {files}"
    if not result.fixable:
        return found
    return f"{found}; `mkls check --fix` mends {result.fixable}"
