"""Dispatch stubs: where each is declared, defined and registered for MPS, and who reaches it."""

from collections.abc import Iterable
from typing import NamedTuple

from mkls.facts.model.host import StubDevice, StubRegistration
from mkls.index.host_documents import HostDocument, HostFunction, Stated
from mkls.index.place import Place


class Registration(NamedTuple):
    """A registration of a stub for MPS."""

    stated: Stated
    registration: StubRegistration

    @property
    def place(self) -> Place:
        """The whole registration."""
        return self.stated.place(self.registration.span)

    @property
    def stub_place(self) -> Place:
        """The stub's name in it."""
        return self.stated.place(self.registration.stub.span)

    @property
    def function_name(self) -> str:
        """The function's own name, without namespaces; "" where none is registered."""
        function = self.registration.function
        return function.text.rpartition("::")[2] if function else ""


class Stub(NamedTuple):
    """A dispatch stub: its function type, and every place that says something about it.

    `registered` is what registers it for MPS; in two files, the last static initialiser wins.
    """

    name: str
    type: str
    declared: tuple[Place, ...]
    defined: tuple[Place, ...]
    registered: tuple[Registration, ...]


class Reach(NamedTuple):
    """A way from a host function to a stub: the functions passed, the first being the start."""

    stub: str
    path: tuple[HostFunction, ...]
    place: Place
    """Where the last function of the path names the stub."""


class Stubs:
    """All stubs, by name."""

    def __init__(self, documents: Iterable[HostDocument]) -> None:
        """Collect what `documents` say about stubs."""
        self._types: dict[str, str] = {}
        self._declared: dict[str, list[Place]] = {}
        self._defined: dict[str, list[Place]] = {}
        self._registered: dict[str, list[Registration]] = {}
        for document in documents:
            self._collect(document)
        self.by_name = {name: self._stub(name) for name in sorted(self._names())}

    def _collect(self, document: HostDocument) -> None:
        for stated, stub in document.stubs():
            table = self._defined if stub.defines else self._declared
            table.setdefault(stub.stub.text, []).append(stated.place(stub.stub.span))
            if stub.type:
                self._types[stub.stub.text] = stub.type
        for stated, registration in document.registrations():
            if _is_for_mps(registration, document):
                found = Registration(stated, registration)
                self._registered.setdefault(registration.stub.text, []).append(found)

    def _names(self) -> set[str]:
        return self._declared.keys() | self._defined.keys() | self._registered.keys()

    def _stub(self, name: str) -> Stub:
        return Stub(
            name=name,
            type=self._types.get(name, ""),
            declared=tuple(self._declared.get(name, ())),
            defined=tuple(self._defined.get(name, ())),
            registered=tuple(self._registered.get(name, ())),
        )


def _is_for_mps(registration: StubRegistration, document: HostDocument) -> bool:
    if registration.device is StubDevice.BY_FILE:
        return document.uri.endswith(".mm")
    return registration.device is StubDevice.MPS
