"""`mkls.compile_shader` as a drop-in for torch's."""

import pytest
import torch

from mkls.runner.report import CompileProblem, Place
from mkls.shaders import compile_shader, syntax_error

SCALE = (
    "kernel void scale(device float* x, constant float& factor,"
    " uint i [[thread_position_in_grid]]) { x[i] *= factor; }"
)


def test_torchs_own_example_runs():
    library = compile_shader(
        "kernel void full(device float* out, constant float& val,"
        " uint idx [[thread_position_in_grid]]) { out[idx] = val; }"
    )
    x = torch.zeros(16)

    library.full(x, 3.14)

    assert torch.equal(x, torch.full((16,), 3.14))


def test_kernels_are_attributes_with_torchs_properties():
    library = compile_shader(SCALE)

    assert "scale" in dir(library)
    assert library.scale.max_threads_per_threadgroup == 1024
    assert library.scale.thread_execution_width == 32
    with pytest.raises(AttributeError):
        _ = library.missing


def test_a_checked_library_keeps_what_it_saw():
    library = compile_shader(SCALE, check=True)

    library.scale(torch.ones(5), 2.0, threads=[8])

    (found,) = library.findings
    assert (found.kind, found.argument, found.index, found.length) == (
        "out-of-bounds-write" if "write" in found.kind else "out-of-bounds-read", "x", 5, 5,
    )  # fmt: skip


def test_headers_of_the_installed_torch_and_of_given_folders_are_found(tmp_path):
    (tmp_path / "mine.h").write_text("#define MINE 5\n", encoding="utf-8")
    library = compile_shader(
        "#include <c10/metal/utils.h>\n#include <mine.h>\n"
        "kernel void k(device float* x) { x[0] = c10::metal::max(float(MINE), 1.0f); }",
        include_dirs=[tmp_path],
    )
    x = torch.zeros(1)

    library.k(x)

    assert x.item() == 5


def test_the_language_version_can_be_chosen():
    source = "kernel void k(device int* x) { x[0] = __METAL_VERSION__; }"
    x = torch.zeros(1, dtype=torch.int32)

    for version, number in (("3.1", 310), ("3.2", 320), ("4.0", 400)):
        compile_shader(source, language_version=version).k(x)
        assert x.item() == number
    with pytest.raises(ValueError, match=r"9\.9"):
        compile_shader(source, language_version="9.9")


def test_a_compile_error_is_a_syntax_error_of_the_users_text():
    with pytest.raises(SyntaxError) as caught:
        compile_shader("// é🎉\nkernel void k(device float* x) { x[0] = y; }")

    assert (caught.value.lineno, caught.value.offset) == (2, 41)
    assert "undeclared identifier 'y'" in str(caught.value)
    assert caught.value.text == "kernel void k(device float* x) { x[0] = y; }"


def test_metals_own_messages_become_the_same_kind_of_error():
    problem = CompileProblem(
        "program_source", 2, 3, "error", "no", (Place("/h.h", 9, 1, "declared here"),)
    )

    error = syntax_error((problem,), "one\ntwo words\n")

    assert (error.filename, error.lineno, error.offset) == ("program_source", 2, 3)
    assert error.text == "two words"
    assert "/h.h:9:1: note: declared here" in str(error)


def test_a_backend_that_is_not_here_is_refused():
    with pytest.raises(RuntimeError, match="backend='emulator'"):
        compile_shader(SCALE, backend="mps")
    with pytest.raises(ValueError, match="unknown backend 'cuda'"):
        compile_shader(SCALE, backend="cuda")
