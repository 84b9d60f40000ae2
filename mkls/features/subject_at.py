"""Find out what the cursor is on."""

from mkls.diagnostics.suppression import Suppressions
from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import HostFacts
from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.facts.model.python import PythonFacts
from mkls.features.subjects import Subject, SuppressedCode
from mkls.features.subjects_of_host import host_subject
from mkls.features.subjects_of_metal import metal_subject
from mkls.features.subjects_of_python import python_subject
from mkls.features.subjects_of_rows import row_subject
from mkls.index.snapshot import Snapshot, Source
from mkls.text.document import Uri


def subject_at(snapshot: Snapshot, uri: Uri, offset: int) -> Subject | None:
    """Return what stands at `offset` of `uri`, None for nothing that mkls knows of."""
    source = snapshot.sources.get(uri)
    if source is None:
        return None
    return _suppressed_code(source, offset) or _subject(snapshot, source, offset)


def _subject(snapshot: Snapshot, source: Source, offset: int) -> Subject | None:
    facts, uri = source.facts, source.document.uri
    if isinstance(facts, NativeFunctionsFacts):
        return row_subject(snapshot, uri, facts, offset)
    if isinstance(facts, MetalFacts):
        return metal_subject(snapshot.kernels, uri, source.document.text, offset)
    if isinstance(facts, (HostFacts, CppFacts)):
        return host_subject(snapshot, source, offset)
    if isinstance(facts, PythonFacts):
        return python_subject(snapshot, source, offset)
    return None


def _suppressed_code(source: Source, offset: int) -> SuppressedCode | None:
    for code, span in Suppressions(source.document).codes:
        if offset in span:
            return SuppressedCode(span, code)
    return None
