"""Read the values of an entry's keys, each with the type that torchgen wants.

A reader takes the pair of its key, adds to `problems` where the type is wrong, and gives the value
of the field of `Entry` that has the key's name.
"""

from collections.abc import Callable, Mapping

from mkls.facts.model.name import Name
from mkls.facts.model.native_functions import DispatchLine, HostFunctionName, UfuncLoop
from mkls.syntax.native_functions import nodes
from mkls.syntax.native_functions.nodes import Pair, Scalar, Sequence, Value
from mkls.syntax.problem import Problem
from mkls.text.span import Span

Problems = list[Problem]


def _string(pair: Pair, problems: Problems) -> Name | None:
    """Read a string."""
    return string(pair.value, pair.key, problems)


def _string_or_null(pair: Pair, problems: Problems) -> Name | None:
    """Read a string; nothing at all is as if the key were not there."""
    return string(pair.value, pair.key, problems) if pair.value is not None else None


def _flag(pair: Pair, problems: Problems) -> bool:
    """Read a boolean; a wrong one counts as what the key's absence means."""
    value = pair.value
    truth = value.truth if isinstance(value, Scalar) else None
    if truth is None:
        span = value.span if value is not None else pair.key.span
        problems.append(Problem(span, f"`{pair.key.text}` is `True` or `False`"))
        return pair.key.text == "device_guard"
    return truth


def _comma_list(pair: Pair, problems: Problems) -> tuple[Name, ...]:
    """Read a string such as `function, method`."""
    if string(pair.value, pair.key, problems) is None:
        return ()
    assert isinstance(pair.value, Scalar)
    return split_names(pair.value)


def _list(pair: Pair, problems: Problems) -> tuple[Name, ...]:
    """Read a list of strings."""
    value = pair.value
    if not isinstance(value, Sequence):
        span = value.span if value is not None else pair.key.span
        message = f"`{pair.key.text}` is a list, as in `[one, two]`"
        problems.append(Problem(span, message))
        return ()
    strings = [string(it, pair.key, problems) for it in value.items]
    return tuple([it for it in strings if it is not None])


def _list_or_string(pair: Pair, problems: Problems) -> tuple[Name, ...]:
    """Read a list of strings, or one string."""
    value = pair.value
    if isinstance(value, Scalar) and value.kind == "str":
        return (Name(value.text, value.span),)
    return _list(pair, problems)


def _dispatch(pair: Pair, problems: Problems) -> tuple[DispatchLine, ...]:
    """Read the lines of `dispatch`."""
    value = pair.value
    if not isinstance(value, nodes.Mapping):
        span = value.span if value is not None else pair.key.span
        message = "`dispatch` is a map from dispatch keys to functions, as in `CPU, MPS: add`"
        problems.append(Problem(span, message))
        return ()
    lines: list[DispatchLine] = []
    for inner in value.pairs:
        name = string(inner.value, inner.key, problems)
        function = HostFunctionName(name.text, name.span) if name is not None else None
        lines.append(DispatchLine(split_names(inner.key), function, inner.lines))
    return tuple(lines)


def _ufunc_loops(pair: Pair, problems: Problems) -> tuple[UfuncLoop, ...]:
    """Read the loops for some ufunc keys, or the one loop for all of them."""
    value = pair.value
    if not isinstance(value, nodes.Mapping):
        loop = string(value, pair.key, problems)
        return (UfuncLoop(None, loop),) if loop is not None else ()
    loops: list[UfuncLoop] = []
    for inner in value.pairs:
        loop = string(inner.value, inner.key, problems)
        if loop is not None:
            loops.append(UfuncLoop(Name(inner.key.text, inner.key.span), loop))
    return tuple(loops)


READERS: Mapping[str, Callable[[Pair, Problems], object]] = {
    "func": _string,
    "variants": _comma_list,
    "dispatch": _dispatch,
    "structured": _flag,
    "structured_inherits": _string_or_null,
    "structured_delegate": _string_or_null,
    "autogen": _comma_list,
    "ufunc_inner_loop": _ufunc_loops,
    "precomputed": _list,
    "device_check": _string_or_null,
    "device_guard": _flag,
    "cpp_no_default_args": _list,
    "manual_cpp_binding": _flag,
    "manual_kernel_registration": _flag,
    "python_module": _string_or_null,
    "category_override": _string_or_null,
    "use_const_ref_for_mutable_tensors": _flag,
    "tags": _list_or_string,
}
"""Every key that torchgen's `NativeFunction.from_yaml` takes."""


def string(value: Value | None, key: Scalar, problems: Problems) -> Name | None:
    """Return the string `value` of `key`; None, and a problem, when it is none."""
    if isinstance(value, Scalar) and value.kind == "str":
        return Name(value.text, value.span)
    if value is None:
        problems.append(Problem(key.span, f"`{key.text}` has no value"))
    else:
        problems.append(Problem(value.span, f"the value of `{key.text}` is a string"))
    return None


def split_names(scalar: Scalar) -> tuple[Name, ...]:
    """Return the parts between the commas of `scalar`, without the blanks around them."""
    text, start = scalar.text, scalar.content
    if "," not in text:
        return (Name(text, scalar.span),) if text else ()
    names: list[Name] = []
    position = 0
    for part in text.split(","):
        word = part.strip()
        first = position + part.find(word)
        place = Span(start + first, start + first + len(word)) if start >= 0 else scalar.span
        names.append(Name(word, place))
        position += len(part) + 1
    return tuple(names)
