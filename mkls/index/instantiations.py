"""Explicit instantiations against the templates that they instantiate."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mkls.facts.model.metal import MacroDefinition, MetalFacts, MetalKernel
from mkls.index.kernels_link import Kernel, bound_type
from mkls.index.kernels_unit import Unit
from mkls.index.kernels_walk import Registered
from mkls.index.place import Place
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span

_SPACES: Final = ("device", "constant", "threadgroup")


class Deviation(NamedTuple):
    """Where an instantiation says something else than its template.

    `given` and `wanted` are what the two say; `wanted` is "" when it is just too much or too
    little. `argument` is the span of what is to be replaced, None when that stands nowhere.
    """

    kernel: Kernel
    place: Place
    template: Place
    what: str
    given: str
    wanted: str
    argument: Span | None
    written: Place | None = None
    """The instantiation's own parameter; of one that a macro makes, in the macro's body."""
    parameter: str = ""
    """How the instantiation calls the parameter."""

    @property
    def is_attribute(self) -> bool:
        """Whether it is an attribute of the parameter, not its type."""
        return self.what.startswith("the attribute")


def deviations(snapshot: Snapshot, uri: Uri) -> tuple[Deviation, ...]:
    """Return the deviations of the instantiations that stand in `uri`, one for each of them."""
    return snapshot.once(_deviations).get(uri, ())


def wrong_words(snapshot: Snapshot, deviation: Deviation) -> Place | None:
    """Return where the words stand that must become what the template says, if that is plain."""
    place = deviation.written
    if place is None and deviation.argument is not None:
        place = Place(deviation.place.uri, deviation.argument)
    source = snapshot.sources.get(place.uri) if place else None
    if place is None or source is None or not deviation.given.strip():
        return None
    text = place.span.of(source.document.text)
    if text.count(deviation.given) != 1 or deviation.what in COUNTS:
        return None
    start = place.span.start + text.index(deviation.given)
    return Place(place.uri, Span(start, start + len(deviation.given)))


COUNTS: Final = ("parameters", "template arguments")
"""What is deviated from by number alone."""


def deviating_kernels(snapshot: Snapshot) -> frozenset[tuple[str, str]]:
    """Return what instantiates kernels otherwise than their templates say.

    Each is a macro, or the offset at which an instantiation stands, and the function.
    """
    return frozenset(
        (it.kernel.macro or str(it.kernel.span.start), it.kernel.function)
        for of_document in snapshot.once(_deviations).values()
        for it in of_document
    )


def deviating_templates(snapshot: Snapshot) -> frozenset[Place]:
    """Return where templates say otherwise than what instantiates them."""
    found = snapshot.once(_deviations).values()
    return frozenset(it.template for of_document in found for it in of_document)


def _deviations(snapshot: Snapshot) -> Mapping[Uri, tuple[Deviation, ...]]:
    found: dict[Uri, dict[Place, Deviation]] = {}
    for unit in snapshot.kernels.units.values():
        seen: set[tuple[str, str]] = set()
        for kernel in unit.kernels:
            written = kernel.registered.kernel
            if not written.explicit or written.arguments is None:
                continue
            # What a macro says of a template, it says each time.
            if kernel.macro and (kernel.macro, kernel.function) in seen:
                continue
            seen.add((kernel.macro, kernel.function))
            place = Place(kernel.uri, kernel.span)
            if place in found.get(kernel.uri, {}):
                continue
            deviation = next(_of(kernel, written), None)
            if deviation is not None:
                at = _written(snapshot, unit, deviation)
                found.setdefault(kernel.uri, {})[place] = deviation._replace(written=at)
    return {uri: tuple(each.values()) for uri, each in found.items()}


def _written(snapshot: Snapshot, unit: Unit, deviation: Deviation) -> Place | None:
    """Return where the instantiation's parameter is written, in a macro's body if one makes it."""
    kernel = deviation.kernel
    if not kernel.macro:
        return deviation.written
    documents = snapshot.facts(MetalFacts)
    found: list[tuple[bool, bool, Place]] = []
    for uri in dict.fromkeys((kernel.uri, *unit.visited)):
        facts = documents.get(uri)
        for macro in facts.macros if facts else ():
            if "kernel" in macro.body and (place := _in_body(macro, deviation)):
                is_said, span = place
                found.append((is_said, macro.name.text == kernel.macro, Place(uri, span)))
    return max(found, key=lambda it: it[:2])[2] if found else None


def _in_body(macro: MacroDefinition, deviation: Deviation) -> tuple[bool, Span] | None:
    """Return whether `macro` says what the instantiation says, and where; else its function."""
    kernel = deviation.kernel
    function = macro.body.find(f"{kernel.function}<")
    named = function >= 0 or macro.name.text == kernel.macro
    at = -1 if deviation.what in COUNTS else _said(macro.body, deviation, max(function, 0))
    if not named and (at < 0 or "host_name" not in macro.body):
        return None  # a macro that is given the function says what it does for others, too
    start = macro.body_span.start + (at if at >= 0 else max(function, 0))
    end = start + len(deviation.given) if at >= 0 else macro.body_span.end
    return at >= 0, Span(start, end)


def _said(body: str, deviation: Deviation, start: int) -> int:
    """Return where `body` says of the parameter what the instantiation does, -1 if nowhere."""
    name = re.compile(rf"\b{re.escape(deviation.parameter)}\b").search(body, start)
    if name is None or not deviation.parameter:
        return body.find(deviation.given, start)
    after = body.find(deviation.given, name.end())
    before = body.rfind(deviation.given, start, name.start())
    return after if deviation.is_attribute else before


def _of(kernel: Kernel, written: MetalKernel) -> Iterator[Deviation]:
    templates = kernel.linker.templates(written.name.text)
    count = len(written.arguments or ())
    same = [it for it in templates if len(it.kernel.arguments or ()) == count]
    if not templates:
        return
    arity = [_template_arity(written, it) for it in templates]
    if all(arity):
        wanted, given = arity[0] or ("", "")
        yield _deviation(kernel, templates[0], "template arguments", given, wanted, None)
        return
    if not same:
        given, wanted = (len(it.arguments or ()) for it in (written, templates[0].kernel))
        yield _deviation(kernel, templates[0], "parameters", str(given), str(wanted), None)
        return
    differences = [list(_differences(kernel, written, it)) for it in same]
    if all(differences):
        yield min(differences, key=len)[0]


def _template_arity(written: MetalKernel, template: Registered) -> tuple[str, str] | None:
    """Return how many template arguments are wanted and given, None when they may be right.

    What is not given has a default, or follows from the types of the function's parameters.
    """
    parameters, given = template.kernel.template or (), written.template_arguments
    if given is None or any("..." in it for it in parameters):
        return None
    types = " ".join(it.type for it in template.kernel.arguments or ())
    left = parameters[len(given) :]
    lacking = [it for it in left if "=" not in it and not _is_in(it.split()[-1], types)]
    if not lacking and len(given) <= len(parameters):
        return None
    return str(len(parameters)), str(len(given))


def _is_in(name: str, types: str) -> bool:
    return name in types.replace("<", " ").replace(">", " ").replace(",", " ").split()


def _differences(kernel: Kernel, written: MetalKernel, template: Registered) -> Iterator[Deviation]:
    for ours, theirs in zip(written.arguments or (), template.kernel.arguments or (), strict=True):
        name = theirs.name.text or ours.name.text
        if ours.type == theirs.type and ours.attribute in ("", theirs.attribute):
            continue
        if theirs.indirection and not theirs.space:
            continue  # a pointer without an address space is a mistake of its own
        wanted = bound_type(theirs.type, written, template.kernel)
        if _certain(ours.type, wanted) and _plain(ours.type) != _plain(wanted):
            found = _deviation(kernel, template, f"`{name}`", ours.type, wanted, None, theirs.span)
            yield found._replace(written=Place(kernel.uri, ours.span), parameter=ours.name.text)
        elif ours.attribute and theirs.attribute and ours.attribute != theirs.attribute:
            span = ours.span if kernel.registered.invocation is None else None
            what = f"the attribute of `{name}`"
            given, wanted = ours.attribute, theirs.attribute
            found = _deviation(kernel, template, what, given, wanted, span, theirs.span)
            yield found._replace(parameter=ours.name.text)


def _deviation(
    kernel: Kernel,
    template: Registered,
    what: str,
    given: str,
    wanted: str,
    span: Span | None,
    parameter: Span | None = None,
) -> Deviation:
    """Return a deviation from `parameter` of the template, or from the template as a whole."""
    place = Place(kernel.uri, span or kernel.span)
    stands = parameter is not None and parameter.start < parameter.end
    primary = parameter if parameter and stands else template.kernel.name.span
    if template.invocation:
        primary = template.invocation.span
    return Deviation(kernel, place, Place(template.uri, primary), what, given, wanted, span)


def _plain(type_: str) -> str:
    """Return `type_` in one spelling: `const` adds nothing to constant memory."""
    words = type_.replace("*", " * ").replace("&", " & ").replace("::", " ").split()
    if "constant" in words:
        words = [word for word in words if word != "const"]
    return " ".join(word for word in words if word not in ("metal", "c10"))


def _certain(ours: str, theirs: str) -> bool:
    """Whether both types are spelt so that a difference in text is one in meaning.

    Only a differing address space or plain words are; aliases and traits may mean the same.
    """
    if _space(ours) and _space(theirs) and _space(ours) != _space(theirs):
        return True
    if any(mark in it for it in (ours, theirs) for mark in ("<", "(", "::", "_t")):
        return False
    return all(word in _KNOWN for it in (ours, theirs) for word in _plain(it).split())


def _space(type_: str) -> str:
    return next((word for word in type_.split() if word in _SPACES), "")


_SCALARS: Final = ("float", "half", "bfloat", "int", "uint", "long", "ulong", "short", "ushort")
_KNOWN: Final = frozenset(
    [
        *(f"{it}{width}" for it in (*_SCALARS, "char", "uchar", "bool") for width in ("", 2, 3, 4)),
        *("void", "size_t", "const", "volatile", "thread", *_SPACES, "*", "&", "atomic_int"),
    ]
)
