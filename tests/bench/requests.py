"""What a person asks of the server on the whole 2.6.0 tree, while another client types.

A new request needs one `Question`: how to ask at a random place, and what it may cost.
"""

import os
import random
import statistics
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from mkls.session.disk import read_text
from mkls.text.document import uri_of
from mkls.text.line_index import LineIndex
from tests.bench.measure import Row, percentile
from tests.support.lsp_client import Json, LspClient, at, replacement
from tests.support.lsp_server import ServerProcess

_NATIVE = Path("aten/src/ATen/native")
_YAML = _NATIVE / "native_functions.yaml"
_HOST = _NATIVE / "mps/operations/BinaryKernel.mm"
_METAL = _NATIVE / "mps/kernels/BinaryKernel.metal"
_ROUNDS = 150
_LONG = 3000  # lines of the document whose tokens are asked for
_PULL = {"textDocument": {"diagnostic": {"dynamicRegistration": True}}}


class Text:
    """A file of the tree that is open in the editor, and random places in it."""

    def __init__(self, uri: str, text: str, chance: random.Random) -> None:
        """Hold the text."""
        self.uri = uri
        self.text = text
        self._lines = LineIndex(self.text)
        self._chance = chance

    @property
    def document(self) -> Json:
        """The file, as a request's parameter."""
        return {"textDocument": {"uri": self.uri}}

    def anywhere(self) -> Json:
        """Return a random place."""
        place = self._lines.position(self._chance.randrange(len(self.text)))
        return {**self.document, "position": at(*place)}

    def name(self, *words: str) -> Json:
        """Return where one of `words` stands."""
        word = self._chance.choice(words)
        place = self._lines.position(self.text.index(word) + 1)
        return {**self.document, "position": at(*place)}

    def lines(self, count: int) -> Json:
        """Return some lines in a row, as an editor's window shows them."""
        start = self._chance.randrange(max(1, len(self._lines.starts) - count))
        return {**self.document, "range": {"start": at(start, 0), "end": at(start + count, 0)}}


class Workspace:
    """The open files."""

    def __init__(self, root: Path) -> None:
        """Read them."""
        self.chance = random.Random(1)
        self.yaml, self.host, self.metal = (
            Text(uri_of(str(root / path)), read_text(str(root / path)), self.chance)
            for path in (_YAML, _HOST, _METAL)
        )
        self.files = (self.yaml, self.host, self.metal)
        sources = sorted((root / _METAL).parent.glob("*.metal"))
        self.long = Text(
            "untitled:Long.metal", _cut(map(read_text, map(str, sources))), self.chance
        )

    def file(self) -> Text:
        """Return one of the files."""
        return self.chance.choice(self.files)


def _cut(texts: Iterable[str]) -> str:
    lines = list(chain.from_iterable(it.splitlines(keepends=True) for it in texts))
    if len(lines) < _LONG:
        raise ValueError(f"the Metal sources have only {len(lines)} lines")
    return "".join(lines[:_LONG])


@dataclass(frozen=True)
class Question:
    """A request, its parameters at a place of chance, and its budget for p95 in ms.

    `provider` is the capability without which the server is not asked.
    """

    method: str
    provider: str
    params: Callable[[Workspace], Json]
    budget: float = 30


_WORDS = ("add_out_mps", "fmax_out", "index_select_out_mps", "add.out", "MPS: abs_out_mps")
QUESTIONS = (
    Question("textDocument/definition", "definitionProvider", lambda it: it.file().anywhere()),
    Question("textDocument/hover", "hoverProvider", lambda it: it.file().anywhere()),
    Question(
        "textDocument/references",
        "referencesProvider",
        lambda it: {**it.yaml.name(*_WORDS), "context": {"includeDeclaration": True}},
    ),
    Question(
        "textDocument/documentHighlight",
        "documentHighlightProvider",
        lambda it: it.file().anywhere(),
    ),
    Question("textDocument/completion", "completionProvider", lambda it: it.file().anywhere()),
    Question("textDocument/codeLens", "codeLensProvider", lambda it: it.file().document),
    Question("textDocument/inlayHint", "inlayHintProvider", lambda it: it.file().lines(60)),
    Question("textDocument/prepareRename", "renameProvider", lambda it: it.yaml.name(*_WORDS)),
    Question(
        "workspace/symbol",
        "workspaceSymbolProvider",
        lambda it: {"query": it.chance.choice(("fmax", "ao", "scatter_out", "mps_kernel", "x"))},
        budget=50,
    ),
    Question(
        "textDocument/semanticTokens/full",
        "semanticTokensProvider",
        lambda it: it.long.document,
        budget=60,
    ),
)
"""What is asked; see `rows`."""


def rows(tree: Path, cache: str) -> Iterator[Row]:
    """Yield p95 of each question that the server can be asked, while another client types."""
    environment = {"MKLS_CACHE_DIR": cache}
    server = ServerProcess(environment=environment)
    client = LspClient(server, _PULL)
    other = LspClient(ServerProcess(environment=environment), _PULL)
    try:
        offered = client.initialize(tree)
        other.initialize(tree)
        workspace = Workspace(tree)
        for it in workspace.files:
            client.open(it.uri, it.text)
        client.open(workspace.long.uri, workspace.long.text, "metal")
        for each in (client, other):
            each.call("workspace/diagnostic", {"previousResultIds": []})
        with _typing(other, workspace.host):
            for question in QUESTIONS:
                if offered.get(question.provider):
                    yield _row(client, server.pid, question, workspace)
    finally:
        client.stop()
        other.stop()


def _row(client: LspClient, server: int, question: Question, workspace: Workspace) -> Row:
    times: list[float] = []
    before = _processor_time(server)
    for number in range(_ROUNDS):
        params = question.params(workspace)
        if number % 10 == 9:
            _touch(client, workspace.host, number)
        started = time.perf_counter()
        client.answer(client.request(question.method, params))
        times.append(time.perf_counter() - started)
    p95 = percentile(times, 0.95) * 1e3
    busy = (_processor_time(server) - before) / _ROUNDS * 1e3
    note = f"p50 {statistics.median(times) * 1e3:.1f} ms; {busy:.1f} ms of processor time each"
    return Row(f"{question.method}, p95 while another types", p95, question.budget, "ms", note)


def _processor_time(process: int) -> float:
    """Return the seconds that a process has worked, which other processes do not lengthen."""
    stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def _touch(client: LspClient, file: Text, version: int) -> None:
    """Change a file and change it back: the next request finds another snapshot."""
    client.change(file.uri, version, replacement((0, 0), (0, 0), " "))
    client.change(file.uri, version, replacement((0, 0), (0, 1), ""))


@contextmanager
def _typing(client: LspClient, file: Text) -> Iterator[None]:
    """Type in another client until the block is left, each key when the last one is answered."""
    stopped = threading.Event()
    client.open(file.uri, file.text)

    def type_on() -> None:
        version = 1
        while not stopped.wait(0.1):
            version += 1
            _touch(client, file, version)
            client.call("textDocument/diagnostic", file.document)

    thread = threading.Thread(target=type_on)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()
