"""One argument or return of a schema, read without knowing where it stands.

Few spellings make up all schemas (`Tensor self` is in a thousand), so that each is read once: a
`Declaration` counts its spans from its own start, and an argument is a declaration at an offset.
"""

import re
from functools import lru_cache

import msgspec

from mkls.syntax.problem import Problem
from mkls.text.span import Span

BASE_TYPES = frozenset(
    (
        "Generator",
        "ScalarType",
        "Tensor",
        "int",
        "Dimname",
        "DimVector",
        "float",
        "str",
        "bool",
        "Layout",
        "Device",
        "DeviceIndex",
        "Scalar",
        "MemoryFormat",
        "QScheme",
        "Storage",
        "Stream",
        "SymInt",
        "SymBool",
        "ConstQuantizerPtr",
        "GraphModule",
    )
)
"""Every name that a `BaseTy` of torchgen had in some version."""
CUSTOM_CLASS = "__torch__.torch.classes."

_SHAPE = re.compile(
    r"(?P<base>[A-Za-z_][\w.]*)(?:\((?P<annotation>[^()]*)\))?(?P<suffix>(?:\[[^\[\]]*\]|\?)*)"
    r"(?: (?P<name>[A-Za-z_]\w*)(?P<default>=.*)?)?"
)
_SUFFIX = re.compile(r"(?:\[(?:[1-9]\d*)?\]|\?)*\Z")
_ANNOTATION = re.compile(r"([a-z])(\|[a-z])?(!?)(?: -> (\*|[a-z](?:\|[a-z])*))?\Z")
_ANNOTATED = ("", "?", "[]")


class Declaration(msgspec.Struct, frozen=True):
    """What stands between two commas of a schema; spans count from its own start.

    `type_text` is the type without its alias annotation: `Tensor?` for `Tensor(a!)? x`.
    `base` and `suffix` are its parts: `Tensor` and `?`.
    """

    text: str
    base: str
    suffix: str = ""
    annotation: str | None = None
    annotation_span: Span = Span(0, 0)
    name: str | None = None
    name_span: Span = Span(0, 0)
    default: str | None = None
    default_span: Span = Span(0, 0)
    type_span: Span = Span(0, 0)
    problems: tuple[Problem, ...] = ()
    is_write: bool = False
    """Whether the annotation says that the tensor is written to."""

    @property
    def type_text(self) -> str:
        """The type without its alias annotation."""
        return self.base + self.suffix


@lru_cache(maxsize=16384)
def read_declaration(text: str) -> Declaration:
    """Return what `text` declares, with what torchgen would reject whatever stands around it."""
    match = _SHAPE.match(text)
    if match is None:
        return Declaration(text, "", problems=(Problem(Span(0, len(text)), _expected(text)),))
    default = match["default"]
    suffix, annotation = match["suffix"], match["annotation"]
    problems = [*_type_problems(match), *_annotation_problems(match), *_default_problems(match)]
    if match.end() != len(text):
        problems.append(Problem(Span(match.end(), len(text)), _expected(text[match.end() :])))
    return Declaration(
        text,
        match["base"],
        suffix,
        annotation,
        Span(*match.span("annotation")),
        match["name"],
        Span(*match.span("name")),
        default[1:] if default is not None else None,
        Span(match.start("default") + 1, match.end("default")),
        Span(0, match.end("suffix")),
        tuple(problems),
        annotation is not None and "!" in annotation,
    )


def _expected(rest: str) -> str:
    if not rest:
        return "expected a type and a name between the commas"
    if rest.startswith(","):
        return "expected `, `: arguments are separated by a comma and one space"
    if rest.startswith(" "):
        return "expected one space between type and name, and none after the name"
    return f"expected a type and a name, as in `Tensor self`, not `{rest}`"


def _type_problems(match: re.Match[str]) -> list[Problem]:
    base, suffix = match["base"], match["suffix"]
    if base not in BASE_TYPES and not base.startswith(CUSTOM_CLASS):
        return [Problem(Span(*match.span("base")), f"no type is called `{base}`")]
    if not _SUFFIX.match(suffix):
        message = "expected `[]`, `[n]` with n > 0, or `?` after a type"
        return [Problem(Span(*match.span("suffix")), message)]
    return []


def _annotation_problems(match: re.Match[str]) -> list[Problem]:
    annotation = match["annotation"]
    if annotation is None:
        return []
    span = Span(*match.span("annotation"))
    if match["base"] != "Tensor" or match["suffix"] not in _ANNOTATED:
        message = "only `Tensor`, `Tensor?` and `Tensor[]` can have an alias annotation"
        return [Problem(span, message)]
    parts = _ANNOTATION.match(annotation)
    if parts is None:
        return [Problem(span, "expected an alias annotation: `(a)`, `(a!)`, `(a -> *)` or `(a|b)`")]
    if parts[2] and (parts[3] or "|" in (parts[4] or "")):
        return [
            Problem(span, "several alias sets can be neither written to nor followed by several")
        ]
    return []


def _default_problems(match: re.Match[str]) -> list[Problem]:
    default = match["default"]
    if default is None:
        return []
    span = Span(*match.span("default"))
    if default == "=":
        return [Problem(span, "expected a value after `=`")]
    for mark in ("=", "::"):
        if mark in default[1:]:
            return [Problem(span, f"a default cannot contain `{mark}`")]
    if default.count("[") > default.count("]"):
        return [Problem(span, "a list's default is written without spaces: `[0,1]`")]
    return []
