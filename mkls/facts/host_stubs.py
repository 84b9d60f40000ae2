"""Read what host code says about dispatch stubs: declared, defined, registered, called."""

import re
from collections.abc import Iterator

from mkls.facts.model.host import StubDeclaration, StubDevice, StubRegistration, StubUse
from mkls.facts.model.name import Name
from mkls.syntax.host.blanking import Code
from mkls.text.span import Span

_DEVICE = re.compile(r"device(?:_type\(\)|\(\)\.type\(\))|kMPS\b|DeviceType::MPS\b")
_DEVICE_WORDS = ("device_type()", ").type()", "kMPS", "DeviceType::MPS")
_CALLED_BEFORE = re.compile(r"\b([A-Za-z_]\w*)\s*\(\s*(?:[\w:.>-]|\(\))*\Z")
_STUB_LIKE = re.compile(r"\b\w+_stub\b")
_REGISTER = re.compile(
    r"(?:ALSO_)?REGISTER_"
    r"(?:(MPS|CUDA|HIP|XPU|HPU|MTIA|PRIVATEUSE1|ARCH|(?:NO|ALL)_CPU|(?:NO_)?AVX\w+|VSX|ZVECTOR|SVE\w*)_)?"
    r"DISPATCH\Z"
)
"""Only what DispatchStub.h defines: a file's own macros may end in _DISPATCH as well."""
_REACH_BACK = 160


def stub_uses(code: Code, body: tuple[int, int]) -> tuple[StubUse, ...]:
    """Return the stubs that a body calls or names, and whatever it calls with a device first."""
    found = {use.name.text: use for use in reversed(list(_mentions(code, *body)))}
    found |= {use.name.text: use for use in _calls_with_device(code.code, *body)}
    return tuple(sorted(found.values(), key=lambda use: use.name.span))


def _mentions(code: Code, start: int, end: int) -> Iterator[StubUse]:
    if code.code.find("_stub", start, end) >= 0:
        for match in _STUB_LIKE.finditer(code.code, start, end):
            yield StubUse(Name(match[0], Span(*match.span())), called=False)


def _calls_with_device(text: str, start: int, end: int) -> Iterator[StubUse]:
    """Yield what is called with a device's type as its first argument."""
    if not any(text.find(word, start, end) >= 0 for word in _DEVICE_WORDS):
        return
    for match in _DEVICE.finditer(text, start, end):
        begin = max(start, match.start() - _REACH_BACK)
        if call := _CALLED_BEFORE.search(text[begin : match.start()]):
            span = Span(begin + call.start(1), begin + call.end(1))
            yield StubUse(Name(call[1], span), called=True)


def registration(
    code: Code, macro: str, arguments: list[tuple[int, int]], span: Span
) -> StubRegistration | None:
    """Return the registration that `macro(arguments)` is, or None."""
    match = _REGISTER.match(macro)
    if not match or len(arguments) < 2:
        return None
    return StubRegistration(
        stub=_name(code, *arguments[0]),
        function=_name(code, *arguments[1]),
        device=_device(match[1]),
        span=span,
    )


def is_stub_macro(name: str) -> bool:
    """Whether `name` is one of DispatchStub.h's macros."""
    return name in ("DECLARE_DISPATCH", "DEFINE_DISPATCH") or _REGISTER.match(name) is not None


def _device(word: str | None) -> StubDevice:
    if word is None:
        return StubDevice.BY_FILE
    return {"MPS": StubDevice.MPS, "NO_CPU": StubDevice.NO_CPU}.get(word, StubDevice.OTHER)


def _name(code: Code, start: int, end: int) -> Name:
    text = code.text[start:end]
    skipped = len(text) - len(text.lstrip("&( \n"))
    return Name(text[skipped:].rstrip(") "), Span(start + skipped, end))


def declaration(
    code: Code, macro: str, arguments: list[tuple[int, int]], span: Span
) -> StubDeclaration | None:
    """Return the declaration or definition of a stub that `macro(arguments)` is, or None."""
    if macro not in ("DECLARE_DISPATCH", "DEFINE_DISPATCH") or not arguments:
        return None
    defines = macro == "DEFINE_DISPATCH"
    first, last = arguments[0], arguments[-1]
    return StubDeclaration(
        stub=Name(code.text[slice(*last)], Span(*last)),
        type=""
        if defines
        else " ".join(code.text[first[0] : arguments[-2][1]].split())
        if len(arguments) > 1
        else "",
        defines=defines,
        span=span,
    )
