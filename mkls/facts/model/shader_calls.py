"""What a Python file states about `torch.mps.compile_shader` and the kernels of its libraries."""

from enum import Enum

import msgspec

from mkls.facts.model.name import Name
from mkls.text.source_text import Run
from mkls.text.span import Span


class PythonShader(msgspec.Struct, frozen=True, array_like=True):
    """MSL that the file holds in strings: `runs` tell where each part of `text` is written."""

    text: str
    runs: tuple[Run, ...]


class ShaderFile(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A Metal file that is read whole: `path` is relative to the Python file where `beside`.

    Otherwise it is the end of a path, as in a package's resources.
    """

    path: str
    beside: bool


class PythonLibrary(msgspec.Struct, frozen=True, array_like=True):
    """One call of `compile_shader`, at `span` (its callee); of one source at most.

    With neither `shader` nor `file`, the source cannot be told. `of_torch` tells torch's own
    function from `mkls.compile_shader`, which takes more.
    """

    span: Span
    shader: PythonShader | None
    file: ShaderFile | None
    of_torch: bool


class KernelReference(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`lib.name` or `getattr(lib, "name")`; `library` is an index into the file's libraries."""

    library: int
    name: Name


class ArgumentKind(Enum):
    """What is passed to a kernel, as far as the file alone tells."""

    TENSOR = "tensor"
    INTEGER = "integer"
    """An `int` or a `bool`."""
    REAL = "real"
    NUMBER = "number"
    """Annotated as `float`, where an `int` may come, too."""
    INTEGERS = "integers"
    REALS = "reals"
    NONE = "none"
    UNKNOWN = "unknown"


class ShaderArgument(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An argument of a launch, at `span`.

    `count` is how many numbers a list holds, `zero` whether all that is passed is a literal 0,
    `dtype` a tensor's (`float16`), "" where it is not plain; `literal` whether it is written out.
    """

    span: Span
    kind: ArgumentKind
    count: int | None = None
    zero: bool = False
    dtype: str = ""
    literal: bool = False


class LaunchSize(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`threads=` or `group_size=`: `axes` are the numbers, None where they are no constants.

    `divided` are, for `threads`, the axes that divide by the same group size, as the count of
    groups is computed; `spans` are the axes' places.
    """

    span: Span
    axes: tuple[int | None, ...]
    spans: tuple[Span, ...]
    divided: tuple[bool, ...] = ()


class ArgumentCast(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`{index: "name"}`; an index of None stands for every argument."""

    index: int | None
    name: Name
    span: Span


class ArgumentCasts(msgspec.Struct, frozen=True, array_like=True):
    """`arg_casts=`, written out; `is_table` where it is a dict."""

    span: Span
    casts: tuple[ArgumentCast, ...]
    is_table: bool


class ShaderLaunch(msgspec.Struct, frozen=True, array_like=True):
    """`lib.kernel(…)`: `arguments` is None where their number is not known.

    `function` is what is called, `span` the whole call. A size or casts that are given but cannot
    be told are listed in `unknown`, as are keywords from a dict: then `unknown` holds `**`.
    `insertion` is where one more keyword can be added, None where that is not plain.
    """

    library: int
    kernel: str
    function: Span
    span: Span
    arguments: tuple[ShaderArgument, ...] | None
    threads: LaunchSize | None
    group_size: LaunchSize | None
    casts: ArgumentCasts | None
    error_buffer: int | None
    unknown: tuple[str, ...]
    insertion: int | None = None


class ShaderCalls(msgspec.Struct, frozen=True, array_like=True):
    """All of it, each kind in the order of the text."""

    libraries: tuple[PythonLibrary, ...] = ()
    references: tuple[KernelReference, ...] = ()
    launches: tuple[ShaderLaunch, ...] = ()
