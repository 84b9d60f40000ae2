"""Where a Metal source takes a functor and its registrations."""

import msgspec

from mkls.facts.model.metal import MetalFacts
from mkls.generation.source_edits import editable, mind_balance, whole_lines
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span


class MetalSite(msgspec.Struct, frozen=True):
    """A Metal source to which kernels can be added: functors at one offset, macros at the end."""

    uri: Uri
    text: str
    functor_at: int
    is_after_functor: bool

    @property
    def short_names(self) -> bool:
        """Whether names of `metal` and `c10::metal` need no namespace."""
        own = "using namespace metal;" in self.text
        return own and "using namespace c10::metal;" in self.text


def metal_site(snapshot: Snapshot, uri: Uri) -> MetalSite:
    """Return the places of the source at `uri`.

    Raises:
        RefusedError: It cannot be edited.
    """
    text = editable(snapshot, uri)
    mind_balance(uri, text)
    facts = snapshot.facts(MetalFacts)[uri]
    registered = [
        it.top.place.span.start
        for it in snapshot.kernels.registrations.get(uri, ())
        if it.top.place.uri == uri
    ]
    macros = [it.span.start for it in facts.macros if it.parameters]
    first_use = min((*macros, *registered), default=len(text))
    plain = [it for it in facts.functors if not _is_conditional(facts, it.span.start)]
    before = [it for it in plain if it.span.end <= first_use]
    if before:
        return MetalSite(uri, text, whole_lines(text, before[-1].span).end, True)
    if macros and first_use == min(macros) and not _is_conditional(facts, first_use):
        return MetalSite(uri, text, whole_lines(text, Span(first_use, first_use)).start, False)
    return MetalSite(uri, text, len(text), True)


def _is_conditional(facts: MetalFacts, at: int) -> bool:
    return any(it.span.start <= at < it.span.end for it in facts.regions)


def metal_uri(snapshot: Snapshot, stem: str) -> Uri | None:
    """Return the source `kernels/STEM.metal` of ATen, None if there is none."""
    ending = f"/ATen/native/mps/kernels/{stem}.metal"
    return next((uri for uri in snapshot.facts(MetalFacts) if uri.endswith(ending)), None)


def short(site: MetalSite, text: str) -> str:
    """Return `text` without namespaces that the source has opened."""
    if not site.short_names:
        return text
    for name in ("enable_if_t", "precise::", "is_same_v"):
        text = text.replace(f"::metal::{name}", name)
    return text.replace("::c10::metal::is_", "is_")
