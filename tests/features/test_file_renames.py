"""Includes follow the files that they name."""

from mkls.features.file_renames import file_renames
from mkls.text.document import Uri
from mkls.text.edit import apply_edits
from tests.support.fixture import of_files

MPS = "aten/src/ATen/native/mps"
FILES = {
    f"{MPS}/kernels/Fmax.metal": (
        '#include "Shared.h"\n#include <ATen/native/mps/kernels/Shared.h>\n'
    ),
    f"{MPS}/kernels/Shared.h": "#include <metal_stdlib>\n",
    f"{MPS}/operations/Fmax.mm": (
        "#include <ATen/native/mps/Fmax_metallib.h>\n#include <ATen/native/mps/Ops.h>\n"
    ),
    f"{MPS}/Ops.h": "int ops;\n",
}


def after(*renamed: tuple[str, str]) -> dict[str, str]:
    """Return the files whose text changes when files are renamed."""
    snapshot = of_files(FILES).snapshot
    uris = [(Uri(f"file:///{MPS}/{old}"), Uri(f"file:///{MPS}/{new}")) for old, new in renamed]
    edits = file_renames(snapshot, uris)
    return {
        uri.removeprefix(f"file:///{MPS}/"): apply_edits(
            snapshot.sources[uri].document.text, [it.edit for it in edits if it.uri == uri]
        )
        for uri in {it.uri for it in edits}
    }


def test_a_header_of_metal_sources():
    assert after(("kernels/Shared.h", "kernels/Common.h")) == {
        "kernels/Fmax.metal": ('#include "Common.h"\n#include <ATen/native/mps/kernels/Common.h>\n')
    }


def test_a_source_whose_library_the_host_includes():
    assert after(("kernels/Fmax.metal", "kernels/Biggest.metal")) == {
        "operations/Fmax.mm": FILES[f"{MPS}/operations/Fmax.mm"].replace("Fmax_", "Biggest_")
    }


def test_a_header_of_host_code():
    assert after(("Ops.h", "Operations.h")) == {
        "operations/Fmax.mm": FILES[f"{MPS}/operations/Fmax.mm"].replace("Ops.h", "Operations.h")
    }


def test_a_source_that_moves_to_another_folder():
    text = after(("kernels/Fmax.metal", "kernels/deep/Fmax.metal"))["kernels/Fmax.metal"]

    assert text == '#include "../Shared.h"\n#include <ATen/native/mps/kernels/Shared.h>\n'


def test_a_folder_that_is_renamed():
    text = after(("kernels", "shaders"))["kernels/Fmax.metal"]

    assert text == '#include "Shared.h"\n#include <ATen/native/mps/shaders/Shared.h>\n'


def test_a_file_that_nothing_includes():
    assert after(("operations/Fmax.mm", "operations/Max.mm")) == {}
