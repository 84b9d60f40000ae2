"""What the cursor can be on: the nouns of the three languages and their links."""

import msgspec

from mkls.index.host_documents import HostFunction
from mkls.index.kernels_families import Family
from mkls.index.kernels_link import Kernel
from mkls.index.lookups import LinkedLookup, Request
from mkls.index.operators import Row
from mkls.text.document import Uri
from mkls.text.span import Span


class Operator(msgspec.Struct, frozen=True):
    """An operator's name: its row's own, or where another row names it (`is_reference`)."""

    span: Span
    row: Row
    is_reference: bool = False


class DispatchKey(msgspec.Struct, frozen=True):
    """A dispatch key in a row."""

    span: Span
    row: Row
    key: str


class EntryKey(msgspec.Struct, frozen=True):
    """A key of an entry, such as `structured`."""

    span: Span
    key: str


class DispatchedFunction(msgspec.Struct, frozen=True):
    """The host function that a row names behind dispatch keys."""

    span: Span
    row: Row
    function: str
    keys: tuple[str, ...]


class HostFunctions(msgspec.Struct, frozen=True):
    """A host function's name: `defined` is the definition under the cursor, None for a use."""

    span: Span
    functions: tuple[HostFunction, ...]
    defined: HostFunction | None = None


class DispatchStub(msgspec.Struct, frozen=True):
    """A stub's name."""

    span: Span
    name: str


class KernelLookup(msgspec.Struct, frozen=True):
    """What decides the name of a kernel that host code asks for."""

    span: Span
    asked: tuple[tuple[LinkedLookup, Request], ...]


class KernelRegistration(msgspec.Struct, frozen=True):
    """What registers kernels: a host name, a macro's invocation, or a plain kernel's name."""

    span: Span
    kernels: tuple[Kernel, ...]


class RegistrationMacro(msgspec.Struct, frozen=True):
    """A registration macro's name, where it is defined or invoked with `kernels` as result."""

    span: Span
    family: Family
    kernels: tuple[Kernel, ...] = ()


class KernelTemplate(msgspec.Struct, frozen=True):
    """The name of a kernel's template, and what is registered from it."""

    span: Span
    name: str
    kernels: tuple[Kernel, ...]


class FunctorName(msgspec.Struct, frozen=True):
    """A functor's name, defined at `definition` of `uri`."""

    span: Span
    name: str
    uri: Uri
    definition: Span


class IncludedFile(msgspec.Struct, frozen=True):
    """The path of an include, and the document that it means."""

    span: Span
    uri: Uri


class SuppressedCode(msgspec.Struct, frozen=True):
    """A rule's code, or a group's name, in a suppression comment."""

    span: Span
    code: str


Subject = (
    Operator
    | DispatchKey
    | EntryKey
    | DispatchedFunction
    | HostFunctions
    | DispatchStub
    | KernelLookup
    | KernelRegistration
    | RegistrationMacro
    | KernelTemplate
    | FunctorName
    | IncludedFile
    | SuppressedCode
)
