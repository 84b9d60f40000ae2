"""What holds for every input: reading never fails, and a snapshot forgets how it came to be."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mkls.diagnostics.model import Finding
from mkls.features.diagnostics import ALL_RULES, all_findings
from mkls.index.snapshot import Snapshot
from mkls.session.state import Session
from mkls.text.document import Language, Uri, language_of, language_of_text, uri_of
from mkls.text.edit import Edit, apply_edits
from mkls.text.span import Span
from tests.support.trees import EXTENSION

EXTENSION_FILES = ("ripple/filters.py", "ripple/waves.py", "csrc/ripple.mm")
SAMPLE = Path(__file__).parents[1] / "mkls/sample"
NATIVE = "aten/src/ATen/native"
EDITED = (
    f"{NATIVE}/native_functions.yaml",
    f"{NATIVE}/mps/operations/SampleKernel.mm",
    f"{NATIVE}/mps/kernels/BinaryKernel.metal",
    f"{NATIVE}/Sample.cpp",
    "c10/metal/indexing.h",
)
SNIPPETS = (
    *"(){}[]<>\"'\\/*#,;:.- \n\r\t",
    *("\r\n", "//", "/*", "*/", "😋", "é", "\x00", "[[", "]]", 'R"(', '@"', "  dispatch:\n", "- "),
    *(
        "#define X(a) a##b\n",
        "#if 1\n",
        "#endif\n",
        "MPS: x\n",
        "kernel void f(",
        "TORCH_IMPL_FUNC(",
    ),
)


@cache
def sample() -> dict[Uri, str]:
    paths = (path for path in SAMPLE.rglob("*") if path.is_file())
    texts = {uri_of(str(path)): path.read_text(encoding="utf-8") for path in paths}
    return {uri: text for uri, text in texts.items() if language_of_text(uri, text)}


def extension() -> dict[Uri, str]:
    paths = (EXTENSION / name for name in (*EXTENSION_FILES, "ripple/shaders/waves.metal"))
    return {uri_of(str(path)): path.read_text(encoding="utf-8") for path in paths}


def language(uri: Uri) -> Language:
    """Return the language under which an editor opens `uri`, whatever its text."""
    return language_of(uri) or Language.PYTHON


def edit(session: Session, uri: Uri, text: str) -> None:
    language = language_of_text(uri, text)
    assert language
    session.edit(uri, language, text, None)


def fresh(texts: dict[Uri, str]) -> Session:
    session = Session(uri_of(str(SAMPLE)))
    for uri, text in texts.items():
        edit(session, uri, text)
    return session


def findings(snapshot: Snapshot) -> list[Finding]:
    return all_findings(snapshot, snapshot.sources, ALL_RULES)


def kernels(snapshot: Snapshot) -> dict[str, list[object]]:
    return {
        name: [(it.uri, it.span, it.function, it.versions, it.arguments) for it in kernels]
        for name, kernels in snapshot.kernels.by_host_name.items()
    }


@st.composite
def edits(draw: st.DrawFn, length: int) -> Edit:
    start = draw(st.integers(0, length))
    end = min(length, start + draw(st.integers(0, 12)))
    return Edit(Span(start, end), draw(st.sampled_from(SNIPPETS) | st.text(max_size=3)))


@pytest.mark.parametrize("path", EDITED)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_after_any_edits_the_snapshot_is_as_if_read_anew(path, data):
    texts = dict(sample())
    uri = uri_of(str(SAMPLE / path))
    session = fresh(texts)

    for _ in range(data.draw(st.integers(1, 3))):
        texts[uri] = apply_edits(texts[uri], [data.draw(edits(len(texts[uri])))])
        edit(session, uri, texts[uri])
        session.snapshot()

    edited, anew = session.snapshot(), fresh(texts).snapshot()
    assert edited.sources[uri].facts == anew.sources[uri].facts
    assert kernels(edited) == kernels(anew)
    assert findings(edited) == findings(anew)


@pytest.mark.parametrize("path", EXTENSION_FILES)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_after_any_edits_an_extension_is_as_if_read_anew(path, data):
    texts = dict(extension())
    uri = uri_of(str(EXTENSION / path))
    session = fresh(texts)
    for _ in range(data.draw(st.integers(1, 3))):
        texts[uri] = apply_edits(texts[uri], [data.draw(edits(len(texts[uri])))])
        session.edit(uri, language(uri), texts[uri], None)
        findings(session.snapshot())
    anew = fresh({})
    for other, text in texts.items():
        anew.edit(other, language(other), text, None)

    assert findings(session.snapshot()) == findings(anew.snapshot())


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_document_that_was_opened_and_closed_left_no_trace(data):
    texts = sample()
    session = Session(uri_of(str(SAMPLE)))
    session.load(source for source in fresh(texts).snapshot().sources.values())
    before = findings(session.snapshot())
    uri = data.draw(st.sampled_from(sorted(texts)))

    edit(session, uri, apply_edits(texts[uri], [data.draw(edits(len(texts[uri])))]))
    findings(session.snapshot())
    session.close(uri)

    assert findings(session.snapshot()) == before
