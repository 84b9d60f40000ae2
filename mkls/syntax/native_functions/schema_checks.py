"""What torchgen rejects in a schema that is well written (`FunctionSchema.__post_init__`)."""

from mkls.syntax.native_functions.schema import (
    Argument,
    ArgumentKind,
    FunctionSchema,
    Return,
    SchemaKind,
)
from mkls.syntax.problem import Problem
from mkls.text.span import Span

_OPTIONS = (
    ("dtype", "ScalarType"),
    ("layout", "Layout"),
    ("device", "Device"),
    ("pin_memory", "bool"),
)


def schema_problems(schema: FunctionSchema) -> list[Problem]:
    """Return the problems of `schema` as a whole."""
    problems: list[Problem] = []
    out = schema.out
    if out:
        problems += _out_problems(schema, out)
    if schema.name.is_inplace:
        problems += _inplace_problems(schema, out)
    if schema.has_aliases:
        problems += _alias_problems(schema, out)
    if "pin_memory" in schema.text:
        problems += _options_problems(schema)
    overload = schema.name.overload
    if "functional" in overload and schema.kind is not SchemaKind.FUNCTIONAL:
        message = "an overload called `functional` cannot write to its arguments"
        problems.append(Problem(schema.name.overload_span, message))
    return problems


def _out_problems(schema: FunctionSchema, out: list[Argument]) -> list[Problem]:
    for argument, it in zip(out, schema.returns, strict=False):
        if argument.declaration.annotation != it.declaration.annotation:
            wanted = f"`Tensor({argument.declaration.annotation})`"
            message = f"expected {wanted}: returns alias the out arguments in their order"
            return [Problem(it.span, message)]
    if any(it.declaration.type_text != "Tensor" for it in out):
        if schema.returns:
            message = "out arguments that are lists are not returned: expected `-> ()`"
            return [Problem(schema.returns_span, message)]
        return []
    returned = [it for it in out if not (it.name or "").startswith("_scratch_")]
    if len(returned) != len(schema.returns):
        message = f"expected {len(returned)} returns, one for each out argument"
        return [Problem(schema.returns_span, message)]
    return []


def _inplace_problems(schema: FunctionSchema, out: list[Argument]) -> list[Problem]:
    me = schema.self_argument
    if me is None or not me.declaration.is_write:
        message = f"`{schema.name.function}` is in-place: expected `Tensor(a!) self`"
        return [Problem(me.type_span if me else schema.name.function_span, message)]
    if out:
        message = "an in-place operator cannot have out arguments"
        return [Problem(out[0].span, message)]
    if me.declaration.type_text != "Tensor":
        if schema.returns:
            message = "an in-place operator on a list returns nothing: expected `-> ()`"
            return [Problem(schema.returns_span, message)]
        return []
    annotation = me.declaration.annotation
    if [it.declaration.annotation for it in schema.returns] != [annotation]:
        message = f"an in-place operator returns `self`: expected `-> Tensor({annotation})`"
        return [Problem(_or_one(schema.returns_span), message)]
    return []


def _alias_problems(schema: FunctionSchema, out: list[Argument]) -> list[Problem]:
    problems: list[Problem] = []
    written = [it for it in schema.returns if it.declaration.is_write]
    if written:
        if len(written) != len(schema.returns):
            message = "returns are either all written to, as in `Tensor(a!)`, or none of them"
            problems.append(Problem(schema.returns_span, message))
        problems += _stray_problems(schema, out, written)
    problems += _positional_problems(schema)
    return problems


def _stray_problems(
    schema: FunctionSchema, out: list[Argument], written: list[Return]
) -> list[Problem]:
    aliased = {it.declaration.annotation for it in out}
    for it in schema.arguments:
        if it.declaration.name == "self" and it.kind is ArgumentKind.POSITIONAL:
            aliased.add(it.declaration.annotation)
    for it in written:
        if it.declaration.annotation not in aliased:
            message = "a written return is `self` or an out argument, which stands after the `*`"
            return [Problem(it.span, message)]
    return []


def _positional_problems(schema: FunctionSchema) -> list[Problem]:
    me = schema.self_argument
    is_before = me is not None
    for argument in schema.arguments:
        if argument.kind is not ArgumentKind.POSITIONAL:
            break
        if argument is me:
            is_before = False
        elif argument.declaration.is_write:
            if is_before:
                message = "an argument before `self` cannot be written to"
                return [Problem(argument.type_span, message)]
            annotation = argument.declaration.annotation
            if any(it.declaration.annotation == annotation for it in schema.returns):
                message = "a written positional argument is not returned: make it an out argument"
                return [Problem(argument.type_span, message)]
    return []


def tensor_options(arguments: tuple[Argument, ...]) -> list[int]:
    """Return where the four arguments of TensorOptions begin, as indices into `arguments`."""
    found: list[int] = []
    index = 0
    while index + len(_OPTIONS) <= len(arguments):
        window = arguments[index : index + len(_OPTIONS)]
        if all(_is_option(it, *option) for it, option in zip(window, _OPTIONS, strict=True)):
            found.append(index)
            index += len(_OPTIONS)
        else:
            index += 1
    return found


def _is_option(argument: Argument, name: str, base: str) -> bool:
    declaration = argument.declaration
    return (
        declaration.name == name
        and argument.kind is ArgumentKind.KEYWORD_ONLY
        and declaration.type_text in (base, base + "?")
    )


def _options_problems(schema: FunctionSchema) -> list[Problem]:
    options = tensor_options(schema.arguments)
    if len(options) > 1:
        span = schema.arguments[options[1]].span
        return [Problem(span, "dtype, layout, device and pin_memory can stand only once")]
    if options and schema.kind is not SchemaKind.FUNCTIONAL:
        span = schema.arguments[options[0]].span
        message = "only a functional variant takes dtype, layout, device and pin_memory"
        return [Problem(span, message)]
    return []


def _or_one(span: Span) -> Span:
    return span if span.end > span.start else Span(max(span.start - 1, 0), span.end)
