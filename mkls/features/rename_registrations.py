"""Where the sources of kernels spell what the kernels' names begin with."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from mkls.facts.model.metal import Invocation, MacroDefinition
from mkls.features.metal_scope import is_other_name, metal_scope
from mkls.features.occurrences import in_metal_code
from mkls.features.rename_plan import Group, Refusal, Written
from mkls.index.inline_shaders import real_place
from mkls.index.kernels import KernelIndex
from mkls.index.kernels_link import Kernel
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span

_WORD = re.compile(r"[^\W\d]\w*")
_TEXT = re.compile(r'"[^"\n]*"')


class Registered(msgspec.Struct, frozen=True):
    """Places to rename, and further kernels whose names change with them."""

    places: tuple[Written, ...]
    also: frozenset[str]


def registration_places(
    snapshot: Snapshot, kernels: Iterable[Kernel], stem: str
) -> Registered | Refusal:
    """Return where `stem` is spelled for `kernels`: host names, macros, what macros paste."""
    places: dict[Written, None] = {}
    also: set[str] = set()
    pasted: dict[tuple[str, Uri], None] = {}
    for kernel in kernels:
        found = list(_spelled(snapshot, kernel, stem))
        if not found:
            how = f"macro `{kernel.macro}`" if kernel.macro else "its source"
            return Refusal(f"{how} makes `{kernel.host_name}` without spelling `{stem}`")
        places |= dict.fromkeys(found)
        if kernel.macro:
            also |= _made_alike(snapshot, kernel, stem)
            made = _pasted(snapshot, kernel, stem)
            pasted |= dict.fromkeys((name, kernel.unit) for name in made)
    for name, unit in pasted:
        places |= dict.fromkeys(_identifier(snapshot, name, unit, stem))
    return Registered(tuple(places), frozenset(also))


def _spelled(snapshot: Snapshot, kernel: Kernel, stem: str) -> Iterator[Written]:
    invocation = kernel.registered.invocation
    if invocation is None:
        yield _at(kernel.uri, kernel.span.start, stem)
        if kernel.registered.kernel.host_name is None:
            yield from _identifier(snapshot, kernel.host_name, kernel.unit, stem)
        return
    argument = _argument(invocation, kernel.host_name, stem)
    if argument is not None:
        yield _at(kernel.uri, argument.start, stem)
        return
    found = list(_beginnings(snapshot, kernel, invocation, stem))
    longest = max((len(it.word) for it in found), default=0)
    for it in found:
        if len(it.word) == longest:
            yield _at(it.uri, it.start, stem)


def _at(uri: Uri, start: int, stem: str) -> Written:
    place = real_place(uri, Span(start, start + len(stem)))
    return Written(place.uri, place.span, Group.METAL)


def _argument(invocation: Invocation, host_name: str, stem: str) -> Span | None:
    """Return the argument that gives the host name its beginning."""
    for it in invocation.arguments or ():
        text = it.text.strip('"')
        if text and _begins(text, stem) and host_name.startswith(text):
            quoted = int(it.text.startswith('"'))
            return it.span.shifted(quoted)
    return None


class _Beginning(NamedTuple):
    """A word of a macro's body with which a kernel's name begins."""

    uri: Uri
    start: int
    word: str


def _beginnings(
    snapshot: Snapshot, kernel: Kernel, invocation: Invocation, stem: str
) -> Iterator[_Beginning]:
    pattern = _pattern(stem)
    for uri, macro in _macros(snapshot, kernel, invocation):
        for match in pattern.finditer(macro.body):
            (word,) = filter(None, match.groups())
            if kernel.host_name.startswith(word):
                start = macro.body_span.start + match.start(match.lastindex or 0)
                yield _Beginning(uri, start, word)


def _pattern(stem: str) -> re.Pattern[str]:
    """Return what finds a word that begins with `stem` and that a macro makes a name of.

    It begins a text, is handed to another macro, or has something pasted to it.
    """
    name = re.escape(stem)
    text = rf'"({name}(?:_\w*)?)'
    handed = rf"[(,][\s\\]*({name}(?:_\w+)?)(?=[\s\\]*[,)])"
    pasted = rf"\b({name}_\w*?)(?=\s*\#\#)"
    return re.compile(f"{text}|{handed}|{pasted}")


def _index(snapshot: Snapshot, kernel: Kernel) -> KernelIndex:
    return snapshot.kernels if kernel.unit in snapshot.kernels.units else snapshot.inline_kernels


def _macros(
    snapshot: Snapshot, kernel: Kernel, invocation: Invocation
) -> Iterator[tuple[Uri, MacroDefinition]]:
    """Yield the macros through which `invocation` makes the kernel, where they are defined."""
    index = _index(snapshot, kernel)
    unit = index.unit_with(kernel.unit)
    if unit is None:
        return
    macros = {**unit.macros, **unit.invoked}
    used = {it.name: it.body for it in index.walks.expansion(invocation.text, macros).used}
    for uri, facts in unit.visited.items():
        for macro in facts.macros:
            if used.get(macro.name.text) == macro.body:
                yield uri, macro


def _made_alike(snapshot: Snapshot, kernel: Kernel, stem: str) -> set[str]:
    """Return the names that begin with `stem` at the very place where that of `kernel` does."""
    invocation = kernel.registered.invocation
    unit = _index(snapshot, kernel).unit_with(kernel.unit)
    if invocation is None or unit is None:
        return set()
    own = _argument(invocation, kernel.host_name, stem)
    alike = (
        it
        for it in unit.kernels
        if _begins(it.host_name, stem)
        if (it.uri, it.span) == (kernel.uri, kernel.span)
        or (own is None and it.macro == kernel.macro)
    )
    if own is not None:
        return {it.host_name for it in alike}
    words = {it.word for it in _beginnings(snapshot, kernel, invocation, stem)}
    word = max(words, key=len, default=stem)
    return {it.host_name for it in alike if it.host_name.startswith(word)}


def _pasted(snapshot: Snapshot, kernel: Kernel, stem: str) -> Iterator[str]:
    """Yield the identifiers that a macro makes from `stem` to register `kernel`."""
    invocation = kernel.registered.invocation
    if invocation is None:
        return
    own = _argument(invocation, kernel.host_name, stem)
    given = {
        word
        for it in invocation.arguments or ()
        if it.span != own
        for word in _WORD.findall(it.text)
    }
    pattern = _pattern(stem)
    bodies = (pattern.sub(",", it.body) for _, it in _macros(snapshot, kernel, invocation))
    spelled = {word for body in bodies for word in _WORD.findall(_TEXT.sub('""', body))}
    words = {word for it in kernel.template_arguments for word in _WORD.findall(it)}
    for word in sorted({*words, kernel.function} - spelled):
        if word == stem or (_begins(word, stem) and word not in given):
            yield word


def _begins(name: str, stem: str) -> bool:
    return name == stem or name.startswith(stem + "_")


def _identifier(snapshot: Snapshot, name: str, unit: Uri, stem: str) -> Iterator[Written]:
    for it in in_metal_code(snapshot, name, metal_scope(snapshot, unit)):
        text, start = snapshot.sources[it.uri].document.text, it.span.start
        if not is_other_name(text, it.span, name == stem):
            yield Written(it.uri, Span(start, start + len(stem)), Group.METAL)
