"""What rules about the bodies of Metal functions share: their facts, and cures as fixes."""

from mkls.diagnostics.model import FileEdit, Fix
from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.metal_bodies import BodyPlace, MetalBodies
from mkls.index.snapshot import Source
from mkls.text.edit import Edit
from mkls.text.span import Span

_NOTHING = MetalBodies()


def bodies_of(source: Source) -> MetalBodies:
    """Return what the functions of `source` do; nothing for what is no Metal."""
    return source.facts.bodies if isinstance(source.facts, MetalFacts) else _NOTHING


def is_conditional(source: Source, span: Span, words: tuple[str, ...] = ("",)) -> bool:
    """Whether `span` is compiled on a condition that has one of `words`, or is an alternative."""
    if not isinstance(source.facts, MetalFacts):
        return False
    return any(
        region.span.start <= span.start < region.span.end
        and (region.directive == "else" or any(word in region.condition for word in words))
        for region in source.facts.regions
    )


def includes(source: Source, folder: str) -> bool:
    """Whether `source` itself includes a header of `folder`."""
    return isinstance(source.facts, MetalFacts) and any(
        it.path.startswith(folder) for it in source.facts.includes
    )


def cure(source: Source, place: BodyPlace, title: str) -> tuple[Fix, ...]:
    """Return the cure that `place` knows as a fix, unsafe: it changes what the kernel computes."""
    if place.edit is None:
        return ()
    edit = FileEdit(source.document.uri, Edit(place.edit, place.new_text))
    return (Fix(title, (edit,), safe=False),)
