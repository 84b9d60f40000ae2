"""Texts that lead somewhere."""

from mkls.features.document_links import document_links, link_target
from mkls.text.document import Uri
from tests.features.ripple import RIPPLE
from tests.support.fixture import of_files, parse

NATIVE = "aten/src/ATen/native"


def links(snapshot, uri: Uri) -> list[tuple[str, str]]:
    """Return each link's text, and what stands where it leads."""
    text = snapshot.sources[uri].document.text
    found = []
    for it in document_links(snapshot, uri):
        if it.target:
            found.append((it.span.of(text), it.target.rpartition("/")[2]))
        else:
            target = link_target(snapshot, uri, it.span)
            assert target
            found.append(
                (it.span.of(text), target[1].of(snapshot.sources[target[0]].document.text))
            )
    return found


def test_names_in_rows():
    snapshot = parse(RIPPLE).snapshot

    assert links(snapshot, Uri(f"file:///{NATIVE}/native_functions.yaml")) == [
        ("ripple.out", "ripple.out"),
        ("ripple_out", "ripple_out"),
        ("wave_mps", "wave_mps"),
    ]


def test_kernels_in_strings():
    snapshot = parse(RIPPLE).snapshot

    found = links(snapshot, Uri(f"file:///{NATIVE}/mps/operations/Ripple.mm"))

    assert found == [("ripple_", "ripple")]


def test_includes():
    files = {
        "a/kernels/Fmax.metal": '#include "Shared.h"\n#include <metal_stdlib>\n',
        "a/kernels/Shared.h": "#include <metal_stdlib>\n",
        "a/Fmax.mm": "#include <a/Fmax.h>\n#include <gone.h>\n",
        "a/Fmax.h": "int fmax;\n",
    }
    snapshot = of_files(files).snapshot

    assert links(snapshot, Uri("file:///a/kernels/Fmax.metal")) == [("Shared.h", "Shared.h")]
    assert links(snapshot, Uri("file:///a/Fmax.mm")) == [("a/Fmax.h", "Fmax.h")]


def test_an_unknown_document_has_no_links():
    assert document_links(parse(RIPPLE).snapshot, Uri("file:///nowhere.metal")) == []
