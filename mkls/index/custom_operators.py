"""The operators that extensions define by `TORCH_LIBRARY`, and what implements them."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from mkls.facts.model.host import FunctionKind, LibraryImpl, Parameter
from mkls.facts.model.python import PythonFacts
from mkls.index.host_documents import HostFunction
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.syntax.host.operator_schema import SchemaArgument, read_operator_schema
from mkls.text.document import Uri

MPS = "MPS"


class Registered(NamedTuple):
    """One `m.def` or `m.impl`, and where it stands."""

    uri: Uri
    start: int
    impl: LibraryImpl

    def place(self) -> Place:
        """Return where its operator is named."""
        return Place(self.uri, self.impl.operator.span.shifted(self.start))


class CustomLibrary:
    """A namespace of operators: all that is registered in it."""

    def __init__(self, registered: list[Registered]) -> None:
        """Hold what is registered, in the order of the documents."""
        self.registered = registered

    @cached_property
    def definitions(self) -> Mapping[str, list[Registered]]:
        """What defines each operator."""
        found: dict[str, list[Registered]] = {}
        for it in self.registered:
            if it.impl.defines:
                found.setdefault(it.impl.operator.text, []).append(it)
        return found

    @cached_property
    def keys(self) -> Mapping[str, frozenset[str]]:
        """The dispatch keys for which each operator is implemented; "" stands for all."""
        found: dict[str, set[str]] = {}
        for it in self.registered:
            if not it.impl.defines or it.impl.gives:
                found.setdefault(it.impl.operator.text, set()).add(it.impl.dispatch_key)
        return {name: frozenset(keys) for name, keys in found.items()}

    @property
    def is_whole(self) -> bool:
        """Whether the `TORCH_LIBRARY` itself is at hand, and not fragments alone."""
        return any(it.impl.defines and not it.impl.extends for it in self.registered)


def custom_libraries(snapshot: Snapshot) -> Mapping[str, CustomLibrary]:
    """Return the namespaces other than `aten`, by name."""
    return snapshot.once(_custom_libraries)


def _custom_libraries(snapshot: Snapshot) -> Mapping[str, CustomLibrary]:
    found: dict[str, list[Registered]] = {}
    for document in snapshot.host.documents:
        for stated, impl in document.impls():
            if impl.namespace not in ("aten", "_", ""):
                registered = Registered(document.uri, stated.start, impl)
                found.setdefault(impl.namespace, []).append(registered)
    return {namespace: CustomLibrary(group) for namespace, group in found.items()}


def registered_in(snapshot: Snapshot, uri: Uri) -> Iterator[tuple[CustomLibrary, Registered]]:
    """Yield what the document at `uri` registers, with the library that it belongs to."""
    yield from snapshot.once(_registered_by_uri).get(uri, ())


def _registered_by_uri(
    snapshot: Snapshot,
) -> Mapping[Uri, list[tuple[CustomLibrary, Registered]]]:
    found: dict[Uri, list[tuple[CustomLibrary, Registered]]] = {}
    for library in custom_libraries(snapshot).values():
        for it in library.registered:
            found.setdefault(it.uri, []).append((library, it))
    return found


def undeclared(snapshot: Snapshot, uri: Uri) -> Iterator[tuple[CustomLibrary, Registered]]:
    """Yield the MPS implementations in `uri` of operators that nothing defines.

    What Python files say about operators counts as defining them.
    """
    of_python = snapshot.once(_defined_by_python)
    for library, it in registered_in(snapshot, uri):
        name = it.impl.operator.text
        known = name in library.definitions or name in of_python
        if it.impl.dispatch_key == MPS and not it.impl.defines and not known and library.is_whole:
            yield library, it


def _defined_by_python(snapshot: Snapshot) -> frozenset[str]:
    return frozenset(
        name for facts in snapshot.facts(PythonFacts).values() for name in facts.operators
    )


def without_mps(snapshot: Snapshot, uri: Uri) -> Iterator[Registered]:
    """Yield the definitions in `uri` that have CPU and CUDA kernels and none for MPS.

    Others of the same library must have some.
    """
    for library, it in registered_in(snapshot, uri):
        if not it.impl.defines or not any(MPS in keys for keys in library.keys.values()):
            continue
        if any(
            MPS in keys and name not in library.definitions for name, keys in library.keys.items()
        ):
            continue  # a misspelt implementation may be the one that is missing
        keys = library.keys.get(it.impl.operator.text, frozenset())
        general = any(not key or key.startswith("Composite") for key in keys)
        if {"CPU", "CUDA"} <= keys and MPS not in keys and not general:
            yield it


def repeated(snapshot: Snapshot, uri: Uri) -> Iterator[tuple[Registered, Registered]]:
    """Yield what `uri` registers a second time, with the first time.

    What the preprocessor decides about is no repetition.
    """
    seen: dict[tuple[object, ...], Registered] = {}
    for _, it in registered_in(snapshot, uri):
        impl = it.impl
        if impl.conditional:
            continue
        key = (impl.namespace, impl.operator.text, impl.defines)
        first = seen.setdefault((*key, "" if impl.defines else impl.dispatch_key), it)
        if first is not it:
            yield first, it


_EXPECTED = {
    "Tensor": ("Tensor", "const Tensor&"),
    "int": ("int64_t", "int64_t"),
    "SymInt": ("int64_t", "int64_t"),
    "float": ("double", "double"),
    "bool": ("bool", "bool"),
    "Scalar": ("Scalar", "const Scalar&"),
}
"""By a schema's type: what it is called in C++, and how it is written."""
_INTEGERS = frozenset(
    ("int", "int32_t", "long", "unsigned", "uint32_t", "size_t", "uint64_t", "short", "int16_t")
)


class Disagreement(NamedTuple):
    """A function that cannot be registered for a schema.

    `number` is that of the first parameter that differs, None where their count does; `expected`
    is how its type is written, `wanted` how many parameters there must be.
    """

    registered: Registered
    definition: Registered
    function: HostFunction
    number: int | None
    expected: str
    wanted: int

    @property
    def parameter(self) -> Parameter | None:
        """The parameter that differs."""
        if self.number is None or self.function.function is None:
            return None
        return _parameters(self.function)[self.number]


def disagreements(snapshot: Snapshot, uri: Uri) -> Iterator[Disagreement]:
    """Yield the functions registered in `uri` whose parameters are not those of the schema."""
    for library, it in registered_in(snapshot, uri):
        definitions = library.definitions.get(it.impl.operator.text, [])
        if len(definitions) != 1 or not it.impl.function:
            continue
        schema = definitions[0].impl.schema
        arguments = read_operator_schema(schema.text).arguments if schema else None
        functions = snapshot.host.functions(it.impl.function.text)
        if arguments is None or len(functions) != 1 or not _is_plain(snapshot, functions[0]):
            continue
        found = _disagreement(it, definitions[0], functions[0], arguments)
        if found:
            yield found


def _is_plain(snapshot: Snapshot, function: HostFunction) -> bool:
    """Whether the parameters of `function` are known: of scanned C++ they are not."""
    document = snapshot.host.document(function.uri)
    stated = function.function
    free = stated is not None and stated.kind is FunctionKind.FREE and not stated.qualifier
    return free and not function.macro and document is not None and document.objective


def _parameters(function: HostFunction) -> tuple[Parameter, ...]:
    """Return the parameters that the schema speaks of."""
    own = function.function.parameters if function.function else ()
    return own[1:] if own and "DispatchKeySet" in own[0].type else own


def _disagreement(
    registered: Registered,
    definition: Registered,
    function: HostFunction,
    arguments: tuple[SchemaArgument, ...],
) -> Disagreement | None:
    own = _parameters(function)
    if len(own) != len(arguments):
        return Disagreement(registered, definition, function, None, "", len(arguments))
    for index, (parameter, argument) in enumerate(zip(own, arguments, strict=True)):
        expected = _EXPECTED.get(argument.type)
        plain = plain_type(parameter.type)
        known = plain in _INTEGERS or plain in _KNOWN
        if expected and known and plain != expected[0]:
            return Disagreement(
                registered, definition, function, index, expected[1], len(arguments)
            )
    return None


_KNOWN = frozenset((*(it[0] for it in _EXPECTED.values()), "float", "half"))


def plain_type(written: str) -> str:
    """Return a C++ type without namespaces, `const` and references."""
    words = written.replace("&", " ").replace("::", " :: ").split()
    kept = [it for it in words if it not in ("const", "at", "torch", "c10", "std", "::")]
    return " ".join(kept)
