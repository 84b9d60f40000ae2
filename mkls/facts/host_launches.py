"""Read what one host function binds and launches, along each straight path."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from mkls.facts.host_encoding import Encoding
from mkls.facts.host_values import Values
from mkls.facts.model.host import Parameter
from mkls.facts.model.launches import (
    Assignment,
    EncoderFetch,
    Event,
    EventKind,
    Launches,
    RawBuffer,
)
from mkls.facts.model.name import Name
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.brackets import closing_bracket
from mkls.syntax.host.flow import Branch, Maybe, Node, Step, flow_of
from mkls.text.span import Span

PATHS = 16
"""More straight paths than this are not followed."""
_WORDS = (
    *("setComputeP", "mtl_", "ommandEncoder", "endEncoding", "bind_iter", "startEncoding"),
    *("dispatch_sync(", "setBuffer:", "setBytes:", "dispatchThread", "storage()."),
)
_OF_FUNCTION = re.compile(r"\bnewComputePipelineStateWithFunction\s*:\s*([A-Za-z_]\w*)\b")
_ENCODER = re.compile(r"\bid\s*<\s*MTLComputeCommandEncoder\s*>\s*(\w+)\s*=")
_ASSIGNS = re.compile(r"\s*=(?!=)\s*")
_METHOD = "commandEncoder"
_FETCH = re.compile(r"(?:(\w+)\s*=\s*)?(\b\w+(?:\(\))?\s*(?:->|\.)\s*)\Z")
_CALLED = re.compile(r"\s*\(\s*\)")
_BLOCK = re.compile(r"\bdispatch_sync(?:_with_rethrow)?\s*\(")
_PLAIN_BLOCK = re.compile(r"\b(dispatch_sync)\s*\(")
_NARROWED = re.compile(r"\buint(?:32_t)?\s+\w+\s*=\s*(\w+(?:\.|->)numel\(\))\s*;")
_WIDTH = re.compile(
    r"32bit|32Bit|offsetsFitIn|INT32_MAX|INT_MAX|numeric_limits|use_?64|checked_convert"
)
_EMPTY = re.compile(
    r"\b(?:numel\w*|length|size|numThreads|total)(?:\(\))?\s*(?:[=!]=|<=|>)\s*0\b"
    r"|\bempty\(\)|is_empty|<= 0"
)
_STATEMENT = re.compile(
    r"^[ \t]*[\w<>:*& ]+?\s\w+\s*=\s*[^;=]*commandEncoder\s*\(\s*\)\s*;[ \t]*(?:\r?\n)?",
    re.MULTILINE,
)
_MADE = re.compile(r"\[\s*([\w:]+(?:\(\))?)\s*->\s*commandBuffer\(\)\s+computeCommandEncoder\s*\]")
_PRIVATE = re.compile(r"\b(?:computeCommandEncoder\w*|endEncoding)\b(?=\s*[\]:])")
_STORAGE = re.compile(
    r"\[\s*\w+\s+setBuffer\s*:\s*(?:getMTLBufferStorage\s*\(\s*(?P<tensor>\w+)\s*\)|(?P<buffer>\w+))"
    r"\s+offset\s*:\s*(?P<offset>0)\s+atIndex"
)
_BASE = re.compile(
    r"setBytes\s*:\s*\w+\s*(?:\.|->)\s*(?P<pointer>storage\(\)\s*\.\s*(?:mutable_)?data\(\))"
    r"|(?P<length>storage\(\)\.nbytes\(\))(?=\s*,[^;]*storage_offset\(\))"
)
_FRESH = re.compile(r"\b(?:empty|zeros|ones|full)(?:_like|_mps)?\s*\(")


def may_launch(code: str, start: int, end: int) -> bool:
    """Whether `code[start:end]` may bind or launch anything; cheap."""
    return any(code.find(word, start, end) >= 0 for word in _WORDS)


def launches_of(
    code: Code, body: tuple[int, int], parameters: Sequence[Parameter]
) -> Launches | None:
    """Return what `body` binds and launches; None when it does neither."""
    values = Values(code, body, parameters)
    encoding = Encoding(code, body, values, _encoders(code, body, parameters))
    paths = _Paths(encoding)
    straight = paths.of(flow_of(code.code, *body).nodes)
    launches = Launches(
        events=tuple(paths.events),
        paths=straight,
        assignments=tuple(_assignments(code.code, body, paths.events)),
        fetches=tuple(_fetches(code.code, body)),
        made_encoders=tuple(
            Name(it[1], Span(*it.span())) for it in _MADE.finditer(code.code, *body)
        ),
        private_encoders=tuple(
            Name(it[0], Span(*it.span())) for it in _PRIVATE.finditer(code.code, *body)
        ),
        raw_buffers=tuple(_raw_buffers(code.code, body)),
        base_pointers=tuple(
            Name(it[it.lastindex or 0], Span(*it.span(it.lastindex or 0)))
            for it in _BASE.finditer(code.code, *body)
        ),
        plain_blocks=tuple(
            Name(it[1], Span(*it.span(1))) for it in _PLAIN_BLOCK.finditer(code.code, *body)
        ),
        narrowed=tuple(
            Name(it[1], Span(*it.span(1))) for it in _NARROWED.finditer(code.code, *body)
        ),
        splits=code.code.find("with_32bit_indexing", *body) >= 0,
        minds_width=_WIDTH.search(code.code, *body) is not None,
        minds_empty=_EMPTY.search(code.code, *body) is not None,
    )
    says = launches.events or launches.fetches or launches.private_encoders or launches.raw_buffers
    return launches if says or launches.base_pointers or launches.plain_blocks else None


def _encoders(code: Code, body: tuple[int, int], parameters: Sequence[Parameter]) -> set[str]:
    found = {name for name, _ in _fetched(code.code, body) if name}
    found |= {match[1] for match in _ENCODER.finditer(code.code, *body)}
    return found | {it.name for it in parameters if "ComputeCommandEncoder" in it.type and it.name}


def _fetched(code: str, body: tuple[int, int]) -> Iterator[tuple[str, Span]]:
    """Yield the calls of `commandEncoder()`, each with the variable that it initialises or ""."""
    at = code.find(_METHOD, *body)
    while at >= 0:
        call = _CALLED.match(code, at + len(_METHOD), body[1])
        start = max(body[0], at - 100)
        before = _FETCH.search(code[start:at])
        if call and before:
            yield before[1] or "", Span(start + before.start(2), call.end())
        at = code.find(_METHOD, at + 1, body[1])


# Straight paths


class _State(NamedTuple):
    events: tuple[int, ...] = ()
    conditions: tuple[tuple[str, bool], ...] = ()
    stopped: bool = False


class _Paths:
    """Follows the branches of a body; `events` are those of all paths, in order."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.events: list[Event] = []

    def of(self, nodes: tuple[Node, ...]) -> tuple[tuple[int, ...], ...]:
        states = self._follow([_State()], nodes)
        return tuple(dict.fromkeys(it.events for it in states)) if len(states) <= PATHS else ()

    def _follow(self, states: list[_State], nodes: tuple[Node, ...]) -> list[_State]:
        for node in nodes:
            if isinstance(node, Step):
                states = _with(states, self._indices(self.encoding.events(node.start, node.end)))
            elif isinstance(node, Branch):
                states = self._branch(states, node)
            elif isinstance(node, Maybe):
                states = _with(states, self._skipped(node.body.nodes))
            else:
                states = [it._replace(stopped=True, conditions=()) for it in states]
            states = _distinct(states)
            if len(states) > PATHS:
                return states
        return states

    def _indices(self, events: list[Event]) -> tuple[int, ...]:
        first = len(self.events)
        self.events += events
        return tuple(range(first, len(self.events)))

    def _branch(self, states: list[_State], node: Branch) -> list[_State]:
        running = [it for it in states if not it.stopped]
        stopped = [it for it in states if it.stopped]
        taken = [it for it in running if _holds(it, node.condition) is not False]
        left = [it for it in running if _holds(it, node.condition) is not True]
        then = self._follow([_knowing(it, node.condition, True) for it in taken], node.then.nodes)
        if node.otherwise is None:
            other = _with(
                [_knowing(it, node.condition, False) for it in left], self._skipped(node.then.nodes)
            )
        else:
            other = self._follow(
                [_knowing(it, node.condition, False) for it in left], node.otherwise.nodes
            )
        if not self._matters(running, then + other):
            return states
        return stopped + then + other

    def _matters(self, before: list[_State], after: list[_State]) -> bool:
        known = {it.events for it in before}
        return any(it.stopped or it.events not in known for it in after)

    def _skipped(self, nodes: tuple[Node, ...]) -> tuple[int, ...]:
        """Return what `nodes` bind, as bindings that this path leaves out."""
        inner = _Paths(self.encoding)
        inner.of(nodes)
        return self._indices(
            [
                msgspec.structs.replace(it, kind=EventKind.SKIPPED)
                for it in inner.events
                if it.kind is EventKind.BIND
            ]
        )


def _with(states: list[_State], events: tuple[int, ...]) -> list[_State]:
    if not events:
        return states
    return [it if it.stopped else it._replace(events=it.events + events) for it in states]


def _distinct(states: list[_State]) -> list[_State]:
    return list(dict.fromkeys(states))


def _knowing(state: _State, condition: str, holds: bool) -> _State:
    known = (condition, holds)
    if known in state.conditions:
        return state
    return state._replace(conditions=(*state.conditions, known))


def _holds(state: _State, condition: str) -> bool | None:
    for known, holds in state.conditions:
        if known == condition:
            return holds
        if f"!{known}" == condition or known == f"!{condition}":
            return not holds
    return None


# Further facts


def _assignments(code: str, body: tuple[int, int], events: list[Event]) -> Iterator[Assignment]:
    """Yield the values given to the variables of pipelines."""
    names = {it.name.text for it in events if it.kind is EventKind.PIPELINE}
    names |= {it.pipeline for it in events if it.pipeline}
    for name in sorted(filter(str.isidentifier, names)):
        for value in _values(code, body, name):
            made = _OF_FUNCTION.search(code, value.start, value.end)
            for span in _values(code, body, made[1]) if made else (value,):
                yield Assignment(name, span)


def _values(code: str, body: tuple[int, int], name: str) -> Iterator[Span]:
    """Yield the places of what is assigned to the variable `name`, nothing left out but `nil`."""
    at = code.find(name, *body)
    while at >= 0:
        match = _ASSIGNS.match(code, at + len(name), body[1])
        if match and not (code[at - 1].isalnum() or code[at - 1] in "_.>"):
            end = code.find(";", match.end(), body[1])
            value = Span(match.end(), end if end >= 0 else body[1])
            if value.of(code).strip() not in ("nil", "nullptr"):
                yield value
        at = code.find(name, at + len(name), body[1])


def _fetches(code: str, body: tuple[int, int]) -> Iterator[EncoderFetch]:
    blocks = list(_blocks(code, body))
    for _, span in _fetched(code, body):
        on_queue = any(block.start <= span.start < block.end for block, _, _ in blocks)
        after = [it for it in blocks if it[0].start > span.start]
        name, inside = (after[0][1], after[0][2]) if after else (None, 0)
        yield EncoderFetch(span, on_queue, name, _declaration(code, span.start, body), inside)


def _blocks(code: str, body: tuple[int, int]) -> Iterator[tuple[Span, Span, int]]:
    """Yield the calls that run a block on the queue: the call, its function, the block's inside."""
    for match in _BLOCK.finditer(code, *body):
        close = closing_bracket(code, match.end() - 1, body[1])
        brace = code.find("{", match.end())
        pool = re.compile(r"\{\s*@autoreleasepool\s*\{").match(code, brace)
        inside = pool.end() if pool else brace + 1
        name = Span(match.start(), match.start() + len(match[0].rstrip("( \n")))
        yield Span(match.start(), body[1] if close is None else close), name, inside


def _declaration(code: str, at: int, body: tuple[int, int]) -> Span | None:
    """Return the lines of the declaration that fetches an encoder at `at`, if it does only that."""
    line = code.rfind("\n", body[0], at) + 1
    match = _STATEMENT.match(code, line, body[1])
    return Span(*match.span()) if match and match.start() >= body[0] else None


def _raw_buffers(code: str, body: tuple[int, int]) -> Iterator[RawBuffer]:
    for match in _STORAGE.finditer(code, *body):
        tensor = match["tensor"] or _storage_of(code, body, match["buffer"])
        if tensor:
            made = re.compile(rf"\b{tensor}\s*=\s*(?:at::)?(?:detail::)?(\w+\s*\()").search(
                code, body[0], match.start()
            )
            fresh = made is not None and _FRESH.match(made[1]) is not None
            yield RawBuffer(tensor, Span(*match.span("offset")), fresh)


def _storage_of(code: str, body: tuple[int, int], buffer: str) -> str:
    """Return the tensor whose storage local variable `buffer` is, else ""."""
    pattern = re.compile(rf"\b{buffer}\s*=\s*getMTLBufferStorage\s*\(\s*(\w+)\s*\)")
    match = pattern.search(code, *body)
    return match[1] if match else ""
