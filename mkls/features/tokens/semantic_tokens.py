"""The tokens of any document."""

from collections.abc import Iterator

from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import HostFacts
from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.features.tokens.of_host import host_tokens
from mkls.features.tokens.of_metal import metal_tokens, names_in
from mkls.features.tokens.of_rows import row_tokens
from mkls.features.tokens.token import Token
from mkls.index.snapshot import Snapshot, Source
from mkls.text.span import Span


def semantic_tokens(
    snapshot: Snapshot, source: Source, within: Span | None = None
) -> Iterator[Token]:
    """Yield the tokens of `source`, or those that `within` touches, in the order of the text."""
    text, facts = source.document.text, source.facts
    if isinstance(facts, NativeFunctionsFacts):
        yield from row_tokens(text, within)
    elif isinstance(facts, MetalFacts):
        unit = snapshot.kernels.unit_with(source.document.uri)
        yield from metal_tokens(text, names_in(facts, text, unit), within)
    elif isinstance(facts, HostFacts | CppFacts):
        yield from host_tokens(snapshot, source, within)
