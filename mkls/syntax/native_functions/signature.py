"""What the variants of one operator have in common (torchgen's `FunctionSchema.signature`)."""

from mkls.syntax.native_functions.schema import Argument, ArgumentKind, FunctionSchema
from mkls.syntax.native_functions.schema_checks import tensor_options


def signature(schema: FunctionSchema) -> str:
    """Return a text that is equal for the functional, in-place, out and mutable variant.

    Overload, alias annotations, out arguments, return names and TensorOptions are dropped; an
    argument that is written to and not returned counts as a return.
    """
    left_out = {
        index + offset
        for index in tensor_options(schema.arguments)
        for offset in range(4)
        if "pin_memory" in schema.text
    }
    parts: list[str] = []
    in_keywords = False
    for index, argument in enumerate(schema.arguments):
        if index in left_out or argument.kind is ArgumentKind.OUT:
            continue
        if argument.kind is ArgumentKind.KEYWORD_ONLY and not in_keywords:
            in_keywords = True
            parts.append("*")
        parts.append(_without_annotation(argument))
    arguments = ", ".join(parts)
    if schema.name.text == "bernoulli.p":
        # torchgen's Note [bernoulli.p schema]: its default is missing for historical reasons.
        arguments = arguments.replace("float p", "float p=0.5")
    returns = [it.declaration.type_text for it in schema.returns]
    returns += [it.declaration.type_text for it in _written_and_not_returned(schema)]
    return f"{schema.name.base}({arguments}) -> {', '.join(returns)}"


def _without_annotation(argument: Argument) -> str:
    declaration = argument.declaration
    if declaration.annotation is None:
        return declaration.text
    default = f"={declaration.default}" if declaration.default else ""
    return f"{declaration.type_text} {declaration.name}{default}"


def _written_and_not_returned(schema: FunctionSchema) -> list[Argument]:
    if not schema.has_aliases:
        return []
    me = schema.self_argument
    candidates = [*([me] if me is not None else []), *schema.out, *schema.after_self]
    returned = {it.declaration.annotation for it in schema.returns}
    return [
        it
        for it in candidates
        if it.declaration.is_write and it.declaration.annotation not in returned
    ]
