"""Whatever is typed, and wherever the cursor is, nothing raises."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from mkls.features.call_hierarchy import prepared
from mkls.features.code_lens import lenses
from mkls.features.completion.comments import Vocabulary
from mkls.features.completion.completion import completions
from mkls.features.declaration import declarations
from mkls.features.definition import definitions
from mkls.features.document_links import document_links
from mkls.features.document_symbols import document_symbols
from mkls.features.folding import folds
from mkls.features.hover import hover
from mkls.features.implementation import implementation_targets
from mkls.features.inlay_hints import inlay_hints
from mkls.features.references import references
from mkls.features.rename import renameable
from mkls.features.rename_plan import Refusal
from mkls.features.selection import selection_at
from mkls.features.signature_help import signatures
from mkls.features.tokens.semantic_tokens import semantic_tokens
from mkls.features.type_definition import type_definitions
from mkls.index.snapshot import Snapshot
from mkls.text.span import Span
from tests.features.ripple import RIPPLE
from tests.support.fixture import parse, source_of

FILES = sorted(parse(RIPPLE).marked)
FRAGMENTS = st.sampled_from(re.findall(r"\w+|\W", RIPPLE)) | st.text(max_size=3)


@given(st.sampled_from(FILES), FRAGMENTS, st.data())
def test_features_take_any_text(uri, fragment, data):
    sources = parse(RIPPLE).snapshot.sources
    text = sources[uri].document.text
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    edited = text[:start] + fragment + text[end:]
    snapshot = Snapshot.of({**sources, uri: source_of(uri, edited)}.values())
    offset = data.draw(st.integers(max(0, start - 20), min(len(edited), start + 20)))

    for target in definitions(snapshot, uri, offset):
        assert target.span.end <= len(snapshot.sources[target.uri].document.text)
    found = hover(snapshot, uri, offset)
    assert found is None or offset in found.span
    for it in references(snapshot, uri, offset):
        assert it.span.end <= len(snapshot.sources[it.uri].document.text)
    for find in (declarations, implementation_targets, type_definitions, prepared):
        find(snapshot, uri, offset)
    document_links(snapshot, uri)
    plan = renameable(snapshot, uri, offset)
    assert isinstance(plan, Refusal) or offset in plan.span
    for symbol in document_symbols(snapshot, uri):
        assert symbol.name
        assert symbol.whole.covers(symbol.span)


@given(st.sampled_from(FILES), FRAGMENTS, st.data())
def test_what_is_shown_fits_any_text(uri, fragment, data):
    sources = parse(RIPPLE).snapshot.sources
    text = sources[uri].document.text
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    edited = text[:start] + fragment + text[end:]
    source = source_of(uri, edited)
    snapshot = Snapshot.of({**sources, uri: source}.values())
    offset = data.draw(st.integers(max(0, start - 20), min(len(edited), start + 20)))
    whole = Span(0, len(edited))

    last = 0
    for token in semantic_tokens(snapshot, source):
        assert last <= token.start < token.end <= len(edited)
        last = token.end
    for fold in folds(snapshot, source):
        assert 0 <= fold.start < fold.end <= len(edited)
    spans = selection_at(source, offset)
    assert all(outer.covers(inner) for inner, outer in pairwise(spans))
    assert spans[-1] == whole
    assert all(hint.offset in whole for hint in inlay_hints(snapshot, source, whole))
    assert all(whole.covers(lens.span) for lens in lenses(snapshot, uri))
    for item in completions(snapshot, source, offset, Vocabulary()).items:
        assert item.span.start <= offset <= item.span.end
    assert all(it.active < len(it.parameters) for it in signatures(snapshot, source, offset))
