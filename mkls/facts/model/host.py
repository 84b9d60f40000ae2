"""What an Objective-C++ file states, or a C++ file that deals with Metal.

A file is a sequence of items. What an item states is relative to the item's first character, so
that it survives edits elsewhere: `Item.facts` of an untouched item is the same object after them.
"""

from enum import Enum

import msgspec

from mkls.facts.model.launches import Launches
from mkls.facts.model.name import Name
from mkls.facts.model.name_expression import NameExpression
from mkls.text.span import Span


class FunctionKind(Enum):
    """How a function is defined."""

    FREE = "free"
    METHOD = "method"
    TORCH_IMPL = "torch-impl"
    """`TORCH_IMPL_FUNC(name)`: the body of a structured operator."""
    TYPE = "type"
    """A struct whose methods call stubs, which functions are given as a template argument."""


class Parameter(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A parameter of a host function; `default` is "" where there is none."""

    type: str
    name: str
    default: str
    span: Span


class Lookup(msgspec.Struct, frozen=True, array_like=True):
    """Host code asking a Metal library for a kernel by name.

    `function` is the library's (`getPipelineStateForFunc`, `exec_binary_kernel`…), `library` the
    expression it is called on. `name` is the name asked for, or for `exec_*` its stem; `params`
    the stem's last suffix, for `exec_*_with_params`. `type_arguments` counts the `{0}` holes of
    the library's source that the call fills.
    """

    function: Name
    library: str
    name: NameExpression
    params: NameExpression | None
    type_arguments: int
    span: Span
    arguments: tuple[Name, ...] = ()
    """What an `exec_*` is given, as it is written."""


class DtypeGuard(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Within `span`, the dtype of `subject` is one of `dtypes`.

    `subject` is the variable that is asked (`iter` of `iter.common_dtype()`); dtypes are named as
    the enumerators of `c10::ScalarType`.
    """

    subject: str
    dtypes: tuple[str, ...]
    span: Span


class Call(msgspec.Struct, frozen=True, array_like=True):
    """A call that hands a string on: perhaps a kernel's name."""

    function: Name
    arguments: tuple[NameExpression | None, ...]
    span: Span


class StubUse(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A function names something that may be a stub, or that leads to one.

    `called` when it is called with a device first, as stubs are.
    """

    name: Name
    called: bool


class Function(msgspec.Struct, frozen=True, array_like=True):
    """A function that the file defines. `qualifier` is what is written before `::`."""

    name: Name
    kind: FunctionKind
    qualifier: str
    internal: bool
    parameters: tuple[Parameter, ...]
    span: Span
    returns: NameExpression | None = None
    lookups: tuple[Lookup, ...] = ()
    calls: tuple[Call, ...] = ()
    uses: tuple[StubUse, ...] = ()
    guards: tuple[DtypeGuard, ...] = ()
    compares_dtypes: bool = False
    """Whether a `TORCH_CHECK` compares two dtypes."""
    launches: Launches | None = None


class StubDevice(Enum):
    """For whom a stub is registered, as far as this file alone tells."""

    MPS = "mps"
    BY_FILE = "by-file"
    """`REGISTER_DISPATCH`: MPS in Objective-C++, the CPU in C++."""
    NO_CPU = "no-cpu"
    OTHER = "other"


class StubRegistration(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`REGISTER_DISPATCH(stub, &function)`."""

    stub: Name
    function: Name | None
    device: StubDevice
    span: Span


class StubDeclaration(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`DECLARE_DISPATCH(type, stub)`, or with `defines` `DEFINE_DISPATCH(stub)`."""

    stub: Name
    type: str
    defines: bool
    span: Span


class LibraryImpl(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`m.impl("operator.overload", function)` or `m.def(…)` within a `TORCH_LIBRARY…` block.

    `schema` is what `m.def` declares when that is written as one string. `conditional` says that
    the preprocessor decides whether it is there, `extends` that the block is a fragment or for one
    key; `gives` whether anything is registered besides the schema.
    """

    namespace: str
    dispatch_key: str
    operator: Name
    function: Name | None
    defines: bool
    span: Span
    schema: Name | None = None
    conditional: bool = False
    extends: bool = False
    gives: bool = False


class Shader(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """MSL in a string; `span` is that of the MSL itself. `name` is the variable it is given to."""

    name: Name | None
    span: Span


class ShaderLibrary(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A variable through which kernels are looked up.

    `source` is the variable that holds its MSL, "" when the MSL is written in place (see `shader`)
    or when the library is the bundled one (`bundled`). With `type_parameters` above 0 the MSL is a
    format string: `{0}` is a hole, `{{` a brace. A `raw` one is made by Metal's own API.
    """

    name: Name
    bundled: bool
    source: str
    shader: Span | None
    type_parameters: int
    raw: bool = False


class Constant(msgspec.Struct, frozen=True, array_like=True):
    """A string constant."""

    name: Name
    value: NameExpression


class Invocation(msgspec.Struct, frozen=True, array_like=True):
    """A macro invoked between functions; only its definition tells what it makes."""

    name: Name
    arguments: tuple[Name, ...]
    span: Span


class ItemFacts(msgspec.Struct, frozen=True, array_like=True, weakref=True):
    """What one top-level item states, relative to its first character."""

    functions: tuple[Function, ...] = ()
    defined: tuple[Name, ...] = ()
    """Further functions, of which only the name matters."""
    registrations: tuple[StubRegistration, ...] = ()
    stubs: tuple[StubDeclaration, ...] = ()
    impls: tuple[LibraryImpl, ...] = ()
    shaders: tuple[Shader, ...] = ()
    libraries: tuple[ShaderLibrary, ...] = ()
    constants: tuple[Constant, ...] = ()
    invocations: tuple[Invocation, ...] = ()


class Item(msgspec.Struct, frozen=True, array_like=True):
    """A top-level item that states something, and where it starts."""

    start: int
    facts: ItemFacts


class Macro(msgspec.Struct, frozen=True, array_like=True):
    """`#define NAME(parameters) body`; without parentheses, `parameters` is None."""

    name: Name
    parameters: tuple[str, ...] | None
    body: str
    span: Span


class Include(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`#include <path>`; the span is the path's."""

    path: Name


class HostFacts(msgspec.Struct, frozen=True, array_like=True, weakref=True):
    """What an Objective-C++ file states."""

    items: tuple[Item, ...] = ()
    macros: tuple[Macro, ...] = ()
    includes: tuple[Include, ...] = ()
