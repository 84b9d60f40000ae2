"""Where an Objective-C++ file registers stubs, and how it writes what it registers."""

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from mkls.facts.model.host import HostFacts
from mkls.generation.source_edits import editable, include_path, mind_balance
from mkls.generation.stub_calls import StubCall
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri

ARITY_NAMES: Final = {1: "unary", 2: "binary", 3: "ternary"}
_REGISTERED: Final = re.compile(
    r"^REGISTER_DISPATCH\(\s*(\w+)\s*,\s*(&?)([\w:]+)\s*\)(;?)[ \t]*\r?\n?", re.MULTILINE
)
_LIBRARY: Final = re.compile(r"((?:\w+::)*\blib)\.exec_")
_METALLIB: Final = re.compile(r"#include <ATen/native/mps/(\w+)_metallib\.h>")
_CLOSING: Final = re.compile(r"^\}[ \t]*(?://[^\n]*)?$", re.MULTILINE)
_STEM_MACRO: Final = re.compile(r"^#define (\w+)\((\w+)\)((?:[^\n]*\\\r?\n)*[^\n]*)", re.MULTILINE)
_FOLDER: Final = "/ATen/native/mps/operations/"


class HostSite(msgspec.Struct, frozen=True):
    """An Objective-C++ file to which stubs can be added.

    `function_at` and `registration_at` are offsets; `ampersand` and `semicolon` are how it writes
    registrations, `suffix` how its functions are called after their operator. `macro` makes a
    function and its registration from the operator's name, "" where there is none; new
    invocations go to `macro_at`. `metal_stem` names its Metal source without folder and ending.
    """

    uri: Uri
    text: str
    library: str
    suffix: str
    ampersand: str
    semicolon: str
    function_at: int
    registration_at: int
    macro: str
    macro_at: int
    metal_stem: str


def host_site(snapshot: Snapshot, call: StubCall, metal: Uri | None) -> HostSite | None:
    """Return the file that is to register the stub of `call`: where its like are, None if nowhere.

    With `metal`, the kernels are in that source already, and the file must be the one that is
    compiled with it.

    Raises:
        RefusedError: That file cannot be edited.
    """
    arity = ARITY_NAMES[call.arity]
    headers = {include_path(it.uri, snapshot.root) for it in call.stub.declared}
    best: tuple[int, Uri] | None = None
    for uri in snapshot.facts(HostFacts):
        text = snapshot.sources[uri].document.text
        score = text.count(f"exec_{arity}_kernel(")
        if not score or _FOLDER not in uri or not _library_of(text):
            continue
        stem = _metal_stem(uri, text)
        if metal is not None and not metal.endswith(f"/{stem}.metal"):
            continue
        # A file that deals with stubs of the same header is nearest in kind.
        near = sum(f"<{header}>" in text for header in headers)
        named = uri.endswith(f"/{arity.capitalize()}Kernel.mm")
        rank = near * 1000 + named * 500 + score
        if best is None or rank > best[0]:
            best = (rank, uri)
    return _site(snapshot, best[1], arity) if best else None


def _library_of(text: str) -> str:
    found = _LIBRARY.search(text)
    return found[1] if found else ""


def _metal_stem(uri: Uri, text: str) -> str:
    found = _METALLIB.search(text)
    return found[1] if found else uri.rpartition("/")[2].removesuffix(".mm")


def _site(snapshot: Snapshot, uri: Uri, arity: str) -> HostSite:
    text = editable(snapshot, uri)
    mind_balance(uri, text)
    registered = list(_REGISTERED.finditer(text))
    block = _last_block(text, registered)
    registration_at = block[-1].end() if block else end_of_namespace(text)
    function_at = block[0].start() if len(block) > 1 else registration_at
    # What stands right above belongs to the file; the last use tells how the library is reached.
    uses = list(_LIBRARY.finditer(text, 0, function_at)) or list(_LIBRARY.finditer(text))
    macro = next(_stem_macros(text, arity), "")
    return HostSite(
        uri=uri,
        text=text,
        library=uses[-1][1],
        suffix=next(_suffixes(registered), "_mps_kernel"),
        ampersand=registered[-1][2] if registered else "&",
        semicolon=registered[-1][4] if registered else "",
        function_at=function_at,
        registration_at=registration_at,
        macro=macro,
        macro_at=_macro_at(text, macro),
        metal_stem=_metal_stem(uri, text),
    )


def _last_block(text: str, found: "list[re.Match[str]]") -> "list[re.Match[str]]":
    """Return the registrations at the end of `found` that follow each other line by line."""
    block = found[-1:]
    for it in reversed(found[:-1]):
        if text[it.end() : block[0].start()].strip():
            break
        block.insert(0, it)
    return block


def _suffixes(found: "list[re.Match[str]]") -> Iterator[str]:
    """Yield what follows the operator in names of registered functions, the last one's first."""
    for it in reversed(found):
        stem = it[1].removesuffix("_stub")
        function = it[3].rpartition("::")[2]
        if it[1].endswith("_stub") and function.startswith(stem + "_"):
            yield function.removeprefix(stem)


def _stem_macros(text: str, arity: str) -> Iterator[str]:
    """Yield the macros that make a stub's function of the operator's name alone."""
    for it in _STEM_MACRO.finditer(text):
        name, parameter, body = it.groups()
        calls = re.search(rf"exec_{arity}_kernel\(iter,\s*#{parameter}\)", body)
        if calls and f"{parameter}##_stub" in body and "REGISTER_DISPATCH" in body:
            yield name


def _macro_at(text: str, macro: str) -> int:
    """Return where the last invocation of `macro` ends, -1 without one."""
    found = list(re.finditer(rf"^{macro}\(\w+\);?[ \t]*\r?\n", text, re.MULTILINE)) if macro else []
    return found[-1].end() if found else -1


def end_of_namespace(text: str) -> int:
    """Return the offset of the brace that closes the file's outermost namespace, else its end."""
    closing = list(_CLOSING.finditer(text))
    return closing[-1].start() if closing else len(text)
