"""The Metal compiler's part in `mkls check`."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mkls.cli.progress import ProgressBar
from mkls.cli.style import draws_progress
from mkls.cli.workspace import Workspace
from mkls.diagnostics.compiler import COMPILER_RULES
from mkls.diagnostics.model import Finding
from mkls.diagnostics.selection import Selection
from mkls.index.snapshot import Snapshot
from mkls.session.baseline import changed_since_commit
from mkls.text.document import Language, Uri, uri_of

_MOST_AT_ONCE = 4


def compiler_findings_of(
    workspace: Workspace, selection: Selection, asked: str | None, paths: Sequence[str]
) -> list[Finding]:
    """Return what the compiler's front end says about files of `workspace`, each thing once.

    `asked` is `all`, `off` or None, which leaves the choice to the configuration.
    """
    active = {rule.code for rule in selection.rules(COMPILER_RULES)}
    choice = asked or workspace.config.msl or "changed"
    if not active or choice == "off":
        return []
    snapshot = workspace.session.snapshot()
    metal = [
        it for it in workspace.wanted if snapshot.sources[it].document.language is Language.METAL
    ]
    units = sorted(
        _units(snapshot, metal if choice == "all" else _changed(workspace, metal, paths))
    )
    found: dict[object, Finding] = {}
    for it in _examined(workspace, snapshot, units, is_asked=asked is not None):
        if it.rule.code in active:
            found.setdefault((it.uri, it.rule.code, it.diagnostic.span, it.diagnostic.message), it)
    return list(found.values())


def _changed(workspace: Workspace, metal: Iterable[Uri], paths: Sequence[str]) -> Iterator[Uri]:
    """Yield the documents that the call names, and those that differ from the last commit."""
    snapshot = workspace.session.snapshot()
    named = {uri_of(str(Path(it).resolve())) for it in paths}
    rest = [it for it in metal if it not in named]
    documents = [snapshot.sources[it].document for it in rest]
    yield from (it for it in metal if it in named)
    yield from changed_since_commit(workspace.root, documents)


def _units(snapshot: Snapshot, metal: Iterable[Uri]) -> set[Uri]:
    """Return what is compiled: a header is, in the source that includes it."""
    units = (it if it.endswith(".metal") else _unit_of(snapshot, it) for it in metal)
    return {it for it in units if it}


def _unit_of(snapshot: Snapshot, header: Uri) -> Uri | None:
    unit = snapshot.kernels.unit_with(header)
    return unit.uri if unit and unit.uri.endswith(".metal") else None


def _examined(
    workspace: Workspace, snapshot: Snapshot, units: Sequence[Uri], is_asked: bool
) -> Iterator[Finding]:
    if not units:
        return
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  (a plain check needs none)

    from mkls.runner.compiler_findings import compiler_findings  # noqa: PLC0415
    from mkls.runner.examination import examination  # noqa: PLC0415
    from mkls.runner.requests import document_request  # noqa: PLC0415

    folders = workspace.config.include_dirs
    requests = [document_request(snapshot, it, folders) for it in units]
    bar = ProgressBar("compiling", draws_progress())
    with ThreadPoolExecutor(min(_MOST_AT_ONCE, os.cpu_count() or 1)) as pool:
        for done, (unit, examined) in enumerate(
            zip(units, pool.map(examination, requests), strict=True), 1
        ):
            if examined.missing:
                pool.shutdown(cancel_futures=True)
                if is_asked:
                    print(f"mkls: Metal is not compiled: {examined.missing}", file=sys.stderr)
                break
            yield from compiler_findings(snapshot, unit, examined)
            bar(done, len(units))
    bar.clear()
