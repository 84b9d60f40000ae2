"""What a Python file states: operators that are special on MPS, and shaders that it compiles."""

import msgspec

from mkls.facts.model.name import Name
from mkls.facts.model.shader_calls import ShaderCalls
from mkls.text.span import Span


class OperatorListKey(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An operator in a list: `name` is what the quotes hold, `lines` the whole lines it takes.

    `dtypes` are those that are listed for it, None where the key stands for all of them. `lines`
    is None where something else stands on the same lines.
    """

    name: Name
    dtypes: tuple[str, ...] | None
    lines: Span | None


class OperatorList(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`XFAILLIST_GRAD = {…}`."""

    name: Name
    keys: tuple[OperatorListKey, ...]
    indent: str
    """What the lines of keys begin with."""


class PythonFacts(msgspec.Struct, frozen=True):
    """The lists of the file, in order, and what it does with Metal shaders.

    `operators` are the names of custom operators that it may define.
    """

    lists: tuple[OperatorList, ...] = ()
    shaders: ShaderCalls = ShaderCalls()
    operators: tuple[str, ...] = ()
