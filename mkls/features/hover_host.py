"""What there is to know about host functions, stubs and kernel look-ups."""

from collections.abc import Iterator

from mkls.features.dispatching import rows_dispatching_to
from mkls.features.hover_words import host_page
from mkls.features.markdown import listed, place
from mkls.features.subjects import DispatchStub, HostFunctions, KernelLookup
from mkls.index.kernel_users import rows_of_request
from mkls.index.lookups import LinkedLookup, Request
from mkls.index.name_patterns import Satisfaction
from mkls.index.snapshot import Snapshot
from mkls.text.wording import counted

_MOST_NAMES = 16


def hover_functions(snapshot: Snapshot, subject: HostFunctions) -> str:
    """Tell where a host function is defined, which rows it serves, which stubs it calls."""
    first = subject.defined or subject.functions[0]
    name = first.name.text
    parts = [f"**`{name}`**{_kind(subject)}"]
    rows = [row.name for row in rows_dispatching_to(snapshot, name)]
    if rows:
        parts.append(f"serves {listed(rows, _MOST_NAMES)}")
    if subject.defined is None:
        places = (place(snapshot, it.uri, it.name_place.span) for it in subject.functions)
        parts.append(f"defined in {', '.join(places)}")
    parts += _registered_for(snapshot, name)
    parts += stubs_of(snapshot, name)
    if page := host_page(snapshot, name):
        parts.append(page)
    return "\n\n".join(parts)


def _kind(subject: HostFunctions) -> str:
    first = subject.defined or subject.functions[0]
    made = f", made by `{first.macro}`" if first.macro else ""
    return f" (structured kernel){made}" if first.is_torch_impl else made


def _registered_for(snapshot: Snapshot, function: str) -> Iterator[str]:
    for stub in snapshot.host.stubs.by_name.values():
        for it in stub.registered:
            if it.function_name == function:
                yield f"registered for `{stub.name}` on MPS"


def stubs_of(snapshot: Snapshot, function: str) -> Iterator[str]:
    """Yield a line for each stub that host function `function` leads to."""
    for reach in snapshot.host.reaches(function):
        stub = snapshot.host.stubs.by_name[reach.stub]
        places = [place(snapshot, it.place.uri, it.place.span) for it in stub.registered]
        state = f"registered for MPS in {', '.join(places)}" if places else "not registered for MPS"
        yield f"It calls `{reach.stub}`, {state}."


def hover_stub(snapshot: Snapshot, subject: DispatchStub) -> str:
    """Tell where a stub is declared, defined and registered for MPS."""
    stub = snapshot.host.stubs.by_name[subject.name]
    kind = f", a `{stub.type}`" if stub.type else ""
    lines = [f"**`{stub.name}`** (dispatch stub{kind})", ""]
    for word, places in (("declared", stub.declared), ("defined", stub.defined)):
        lines += (f"- {word} in {place(snapshot, it.uri, it.span)}" for it in places)
    for it in stub.registered:
        function = it.registration.function
        by = f" as `{function.text}`" if function else ""
        lines.append(f"- registered for MPS in {place(snapshot, it.place.uri, it.place.span)}{by}")
    if not stub.registered:
        lines.append("- not registered for MPS")
    return "\n".join(lines)


def hover_lookup(snapshot: Snapshot, subject: KernelLookup) -> str:
    """Tell which names are asked for, and which kernels have them."""
    parts = [_request(snapshot, *asked) for asked in _distinct(subject)]
    rows = {row.name: None for asked in subject.asked for row in rows_of_request(snapshot, *asked)}
    if rows:
        parts.append(f"serves {listed(list(rows), _MOST_NAMES)}")
    return "\n\n".join(dict.fromkeys(parts))


def _distinct(subject: KernelLookup) -> Iterator[tuple[LinkedLookup, Request]]:
    seen: set[tuple[str, str]] = set()
    for linked, request in subject.asked:
        key = linked.lookup.function.text, request.names.text
        if key not in seen:
            seen.add(key)
            yield linked, request


def _request(snapshot: Snapshot, linked: LinkedLookup, request: Request) -> str:
    found = request.names.kernels(snapshot.host_names)
    head = f"`{linked.lookup.function.text}` asks for **`{request.names.text}`**"
    if found:
        return f"{head}\n\n{counted(len(found), 'kernel')}: {listed(found, _MOST_NAMES)}"
    if request.names.satisfied_by(snapshot.host_names) is Satisfaction.UNKNOWN:
        return f"{head}\n\nWhich kernel that is, only running the code tells."
    return f"{head}\n\nNo Metal source has such a kernel."
