"""The words that grammars colour: those that the server documents and completes."""

from collections.abc import Iterable

from mkls.features.meanings import DISPATCH_KEYS, ENTRY_KEYS
from mkls.features.reference.entry import Word, WordKind
from mkls.features.reference.tables import ATTRIBUTES, C10_METAL, MSL

_SCALARS = (
    "bool",
    "char",
    "uchar",
    "short",
    "ushort",
    "int",
    "uint",
    "long",
    "ulong",
    "half",
    "float",
    "bfloat",
)
_FUNCTION_KINDS = ("kernel", "vertex", "fragment", "mesh", "object")
# Qualifiers that are neither an address space nor a kind of function.
_OTHER_QUALIFIERS = ("coherent", "function_constant")

_OTHER_TYPES = (
    "void",
    "signed",
    "unsigned",
    "double",
    "texture1d",
    "texture2d",
    "texture3d",
    "sampler",
    "vec",
    "matrix",
)

CONTROL = (
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "goto",
)
MODIFIERS = (
    "const",
    "constexpr",
    "volatile",
    "static",
    "inline",
    "extern",
    "restrict",
    "explicit",
    "friend",
    "mutable",
    "virtual",
    "alignas",
    "METAL_FUNC",
    "INLINE",
)
DECLARATORS = (
    "struct",
    "class",
    "union",
    "enum",
    "namespace",
    "using",
    "typedef",
    "template",
    "typename",
    "concept",
    "requires",
    "operator",
    "auto",
    "decltype",
)
VALUES = ("true", "false", "nullptr", "this")


def _names(table: Iterable[Word], kind: WordKind) -> tuple[str, ...]:
    return tuple(sorted({it.name for it in table if it.kind is kind}))


def qualifiers() -> tuple[str, ...]:
    """Return the address spaces."""
    others = (*_FUNCTION_KINDS, *_OTHER_QUALIFIERS)
    return tuple(it for it in _names(MSL, WordKind.QUALIFIER) if it not in others)


def function_kinds() -> tuple[str, ...]:
    """Return what says how a function is called: `kernel` and the stages of drawing."""
    return _FUNCTION_KINDS


def modifiers() -> tuple[str, ...]:
    """Return the other qualifiers."""
    return (*MODIFIERS, "coherent")


def types() -> tuple[str, ...]:
    """Return the names of types, vectors and matrices left out: `vector_types` matches those."""
    made = tuple(it for it in _names(MSL, WordKind.TYPE) if it not in _SCALARS)
    plain = tuple(it for it in made if not it[-1].isdigit())
    return (*_OTHER_TYPES, *plain)


def vector_types() -> str:
    """Return a pattern for scalars, vectors, matrices and their packed and fixed-width kin."""
    scalars = "|".join(_SCALARS)
    return (
        rf"(?:packed_)?(?:{scalars})(?:[2-4](?:x[2-4])?)?"
        r"|u?int(?:8|16|32|64)_t|simdgroup_(?:float|half|bfloat)8x8"
    )


def attributes() -> tuple[str, ...]:
    """Return the attributes of kernels and parameters."""
    return tuple(sorted(ATTRIBUTES))


def library_functions() -> tuple[str, ...]:
    """Return the functions of the Metal library."""
    return _names(MSL, WordKind.FUNCTION)


def helper_functions() -> tuple[str, ...]:
    """Return the functions of `c10/metal`."""
    known = set(library_functions())
    return tuple(it for it in _names(C10_METAL, WordKind.FUNCTION) if it not in known)


def constants() -> tuple[str, ...]:
    """Return the constants of the Metal library."""
    return _names(MSL, WordKind.CONSTANT)


def entry_keys() -> tuple[str, ...]:
    """Return the keys of an entry of `native_functions.yaml`."""
    return tuple(ENTRY_KEYS)


def dispatch_keys() -> tuple[str, ...]:
    """Return the dispatch keys."""
    return tuple(DISPATCH_KEYS)
