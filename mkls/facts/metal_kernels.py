"""Kernels and their arguments, read from tokens: written by hand or made by macros."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

import msgspec

from mkls.facts.model.metal import KernelArgument, MetalKernel
from mkls.facts.model.name import Name
from mkls.syntax.metal.access import Accesses
from mkls.syntax.metal.declaration import Attribute, Declarator, declarator_of
from mkls.syntax.metal.item import Item, items_of
from mkls.syntax.metal.parameter import Parameter, parameter_of, rendered
from mkls.syntax.metal.structure import structure_of
from mkls.syntax.metal.token import Token, spelling, tokens_of
from mkls.text.span import Span

NOWHERE: Final = Span(0, 0)
"""Where macro-made tokens stand whose invocation does not matter."""
_KINDS: Final = {
    "buffer": "buffer", "texture": "texture", "sampler": "sampler", "threadgroup": "threadgroup",
    "stage_in": "stage", "function_constant": "function_constant",
}  # fmt: skip
_OPAQUE: Final = re.compile(r"(?:\w+\s+)*(?:metal::|array<)*(texture|depth|sampler)")
_TABLES: Final = re.compile(
    r"(?:const )?(?:metal::|raytracing::)*(?:\w*function_table|acceleration_structure"
    r"|\w*_acceleration_structure)\b"
)
_NUMBERED: Final = ("buffer", "texture", "sampler", "threadgroup")
_LITERAL: Final = re.compile(r'(?:u8|[uUL])?"((?:[^"\\]|\\.)*)"')


def kernel_of(text: str, item: Item, accesses: Accesses) -> MetalKernel | None:
    """Return the kernel that `item` of `text` declares, None when it declares none."""
    declared = _declared(text[item.start : item.head].rstrip())
    if declared is None:
        return None
    arguments = declared.arguments
    if arguments is not None:
        moved = [_moved_argument(it, item.start) for it in arguments]
        arguments = tuple(moved if item.body < 0 else _accessed(moved, accesses, item))
    return msgspec.structs.replace(
        declared,
        name=_moved(declared.name, item.start),
        host_name=_moved(declared.host_name, item.start) if declared.host_name else None,
        arguments=arguments,
        has_body=item.body >= 0,
        head=Span(item.start, item.head),
        span=Span(item.start, item.end),
        cooperates=accesses.cooperates(item),
    )


@lru_cache(maxsize=4096)
def _declared(signature: str) -> MetalKernel | None:
    """Return the kernel whose head is `signature`, as if it began the text."""
    declarator = declarator_of(tokens_of(signature))
    if declarator is None or not declarator.is_kernel:
        return None
    return kernel_from(declarator, Span(0, len(signature)), signature)


def kernel_from(declarator: Declarator, head: Span, signature: str = "") -> MetalKernel:
    """Return the kernel of `declarator`; tokens without a place are put at the start of `head`."""
    template, given = declarator.template, declarator.arguments
    return MetalKernel(
        name=_name(declarator.name, head.start),
        qualified=declarator.qualified,
        template=None if template is None else tuple(spelling(part) for part in template),
        template_arguments=None if given is None else tuple(_text(part) for part in given),
        explicit=declarator.explicit,
        host_name=host_name_of(declarator.attributes, head.start),
        arguments=arguments_of(declarator.parameters, head),
        has_body=False,
        attributes=tuple(_attribute_text(it) for it in declarator.attributes),
        signature=signature,
        head=head,
        span=head,
    )


def made_kernel_of(head: list[Token], body: list[Token] | None, place: Span) -> MetalKernel | None:
    """Return the kernel that macro-made tokens declare, as if it stood at `place`."""
    declarator = declarator_of(head)
    if declarator is None or not declarator.is_kernel:
        return None
    kernel = kernel_from(declarator, place)
    if body is None:
        return kernel
    text = spelling([*head, *body])
    clean = structure_of(text).clean
    items = items_of(clean).items
    arguments = kernel.arguments
    accesses = Accesses(clean, items)
    if arguments and len(items) == 1 and items[0].body >= 0:
        arguments = _accessed(arguments, accesses, items[0])
    return msgspec.structs.replace(
        kernel,
        has_body=True,
        arguments=tuple(arguments) if arguments is not None else None,
        cooperates=any(accesses.cooperates(it) for it in items),
    )


def _moved(name: Name, by: int) -> Name:
    return Name(name.text, name.span.shifted(by))


def _moved_argument(argument: KernelArgument, by: int) -> KernelArgument:
    return msgspec.structs.replace(
        argument, name=_moved(argument.name, by), span=argument.span.shifted(by)
    )


def _text(tokens: list[Token]) -> str:
    return rendered([token.text for token in tokens])


def _name(token: Token, otherwise: int) -> Name:
    start = token.start if token.start >= 0 else otherwise
    end = start + len(token.text) if token.start >= 0 else start
    return Name(token.text, Span(start, end))


def host_name_of(attributes: list[Attribute], otherwise: int) -> Name | None:
    """Return what the literals of `[[host_name(…)]]` hold, concatenated; None without one."""
    for attribute in attributes:
        if attribute.name != "host_name":
            continue
        literals = [(token, _LITERAL.fullmatch(token.text)) for token in attribute.arguments]
        if not literals or not all(match for _, match in literals):
            return None
        text = "".join(match[1] for _, match in literals if match)
        first, last = literals[0][0], literals[-1][0]
        if first.start < 0 or last.start < 0:
            return Name(text, Span(otherwise, otherwise))
        return Name(text, Span(first.start + 1, last.start + len(last.text) - 1))
    return None


def _attribute_text(attribute: Attribute) -> str:
    inside = spelling(attribute.arguments)
    return f"{attribute.name}({inside})" if inside else attribute.name


def arguments_of(
    parameters: list[list[Token]] | None, place: Span
) -> tuple[KernelArgument, ...] | None:
    """Return the arguments that `parameters` declare, numbered; None where a type names them.

    Tokens without a place are put at the start of `place`; an empty one says that none has any.
    """
    if parameters is None:
        return None
    if place == NOWHERE:
        read = [_placeless(tuple([token.text for token in tokens])) for tokens in parameters]
    else:
        read = [_read(tokens, place.start) for tokens in parameters]
    return _numbered([it for it in read if it])


def _read(tokens: list[Token], otherwise: int) -> KernelArgument | None:
    parameter = parameter_of(tokens)
    return _argument(parameter, otherwise) if parameter else None


@lru_cache(maxsize=4096)
def _placeless(texts: tuple[str, ...]) -> KernelArgument | None:
    """Return the argument that a macro made of `texts`: instantiations repeat a few of them."""
    parameter = parameter_of([Token(text, True) for text in texts])
    return _argument(parameter, 0) if parameter else None


def _argument(parameter: Parameter, otherwise: int) -> KernelArgument:
    start = parameter.start if parameter.start >= 0 else otherwise
    end = parameter.end if parameter.start >= 0 and parameter.end >= start else start
    name = parameter.name
    kind, attribute = _kind(parameter)
    number = next((it for it in parameter.attributes if it.name == kind), None)
    index = _integer(spelling(number.arguments)) if number else None
    return KernelArgument(
        name=_name(name, start) if name else Name("", Span(end, end)),
        type=parameter.type,
        space=parameter.space,
        is_const=parameter.is_const,
        indirection=parameter.indirection,
        kind=kind,
        index=index,
        explicit=number is not None,
        attribute=attribute,
        access=_access(parameter) if kind == "buffer" else "",
        span=Span(start, end),
        optional=any(it.name == "function_constant" for it in parameter.attributes),
    )


def _access(parameter: Parameter) -> str:
    """Return what is known of a buffer's use without the body of its kernel."""
    return "read" if parameter.is_const else "read_write"


def _kind(parameter: Parameter) -> tuple[str, str]:
    """Return the kind of `parameter`, and its attribute as written."""
    for attribute in parameter.attributes:
        if attribute.name in _KINDS:
            return _KINDS[attribute.name], _attribute_text(attribute)
    # An array parameter is a pointer (C++17 [dcl.fct]/5).
    points = parameter.indirection or parameter.type.endswith("]")
    if points and parameter.space in ("device", "constant"):
        return "buffer", ""
    if points and parameter.space == "threadgroup":
        return "threadgroup", ""
    opaque = _OPAQUE.match(parameter.type)
    if opaque:
        return "sampler" if opaque[1] == "sampler" else "texture", ""
    if _TABLES.match(parameter.type):
        return "buffer", ""
    if parameter.attributes:
        return "builtin", _attribute_text(parameter.attributes[0])
    return "", ""


def _integer(text: str) -> int | None:
    return int(text) if text.isdecimal() else None


def _numbered(arguments: list[KernelArgument]) -> tuple[KernelArgument, ...]:
    taken = {(it.kind, it.index) for it in arguments if it.explicit}
    unknown = {it.kind for it in arguments if it.explicit and it.index is None}
    following = dict.fromkeys(_NUMBERED, 0)
    numbered: list[KernelArgument] = []
    for argument in arguments:
        kind = argument.kind
        if argument.explicit or kind not in following or kind in unknown:
            numbered.append(argument)
            continue
        while (kind, following[kind]) in taken:
            following[kind] += 1
        numbered.append(msgspec.structs.replace(argument, index=following[kind]))
        following[kind] += 1
    return tuple(numbered)


def _accessed(
    arguments: Iterable[KernelArgument], accesses: Accesses, item: Item
) -> Iterator[KernelArgument]:
    """Yield `arguments` with what the body of `item` does to them."""
    for it in arguments:
        if it.kind == "buffer" and not it.is_const:
            access = accesses.access(item, it.name.text, it.indirection == "&")
            yield msgspec.structs.replace(it, access=access)
        else:
            yield it
