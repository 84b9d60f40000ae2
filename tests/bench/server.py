"""The language server on the whole 2.6.0 tree: its start, its answers to edits, its memory."""

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from mkls.session.disk import read_text
from mkls.text.document import uri_of
from mkls.text.line_index import LineIndex
from tests.bench import requests
from tests.bench.measure import Row, alternate, percentile, seconds
from tests.support.lsp_client import LspClient, replacement
from tests.support.lsp_server import SERVE, ServerProcess

_BARE = (sys.executable, "-m", "tests.bench.bare_server")
_PULL = {"textDocument": {"diagnostic": {"dynamicRegistration": True}}}
_NATIVE = "aten/src/ATen/native"
_EDITS = 120


def rows(tree: Path, rounds: int) -> Iterator[Row]:
    """Yield start, edits in the three languages, and memory."""
    for command in (_BARE, SERVE):
        _start(command)  # both have their bytecode now
    medians = alternate(
        {
            "bare": lambda: seconds(lambda: _start(_BARE)),
            "mkls": lambda: seconds(lambda: _start(SERVE)),
        },
        rounds,
    )
    ratio = medians["mkls"] / medians["bare"]
    note = f"{medians['mkls']:.3f} s against {medians['bare']:.3f} s"
    yield Row("spawn to initialize / bare pygls server", ratio, 1.3, "x", note)
    with tempfile.TemporaryDirectory() as cache:
        server = ServerProcess(environment={"MKLS_CACHE_DIR": cache})
        client = LspClient(server, _PULL)
        try:
            client.initialize(tree)
            yield from _edits(client, tree)
            yield Row("memory with the tree loaded (RSS)", _resident(server.pid), 250, "MB")
        finally:
            client.stop()
        yield from requests.rows(tree, cache)


def _start(command: Sequence[str]) -> None:
    client = LspClient(ServerProcess(command))
    client.call("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    client.stop()


def _edits(client: LspClient, tree: Path) -> Iterator[Row]:
    for path in _largest_of_each_language(tree):
        times = _edit_times(client, path)
        p95 = percentile(times, 0.95) * 1e3
        note = f"p50 {statistics.median(times) * 1e3:.1f} ms, worst {max(times) * 1e3:.1f} ms"
        yield Row(f"edit to diagnostics in {path.name}, p95", p95, 50, "ms", note)


def _largest_of_each_language(tree: Path) -> list[Path]:
    mps = tree / _NATIVE / "mps"
    largest = [
        max(mps.rglob(glob), key=lambda it: it.stat().st_size) for glob in ("*.metal", "*.mm")
    ]
    return [tree / _NATIVE / "native_functions.yaml", *largest]


def _edit_times(client: LspClient, path: Path) -> list[float]:
    """Type a character and take it away again at places all over the file."""
    uri, text = uri_of(str(path)), read_text(str(path))
    client.open(uri, text)
    client.call("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    lines, times, places = LineIndex(text), [], random.Random(1)
    for version in range(2, _EDITS + 2, 2):
        place = tuple(lines.position(places.randrange(len(text))))
        after = (place[0], place[1] + 1)
        for step, change in enumerate(
            (replacement(place, place, "x"), replacement(place, after, ""))
        ):
            started = time.perf_counter()
            client.change(uri, version + step, change)
            client.call("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            times.append(time.perf_counter() - started)
    client.close_document(uri)
    return times


def _resident(pid: int) -> float:
    """Return the resident size of a process in megabytes (Linux: /proc, proc(5))."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    line = next(it for it in status.splitlines() if it.startswith("VmRSS"))
    return int(line.split()[1]) / 1024
