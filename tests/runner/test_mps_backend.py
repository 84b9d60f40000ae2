"""The MPS backend with a Mac played by the CPU: what it embeds, binds, copies back and reports.

What only a Mac can show is in `contract`, with `pytest -m mps`.
"""

import os

import pytest
import torch

from mkls.emulator.library import compile_source
from mkls.runner.backends.mps import MpsBackend, embedded_unit
from mkls.runner.backends.mps_checked import CheckedLibrary
from mkls.runner.backends.protocol import CompilationError, Unit
from tests.runner.packages import mac

COPY = """\
#include <metal_stdlib>
#include "scale.h"
using namespace metal;
kernel void scale(device const float* input, device float* out, constant float& factor,
                  uint i [[thread_position_in_grid]]) {
  out[i] = input[i] * factor * SCALE;
}
"""
FILES = {"/tree/scale.h": "#define SCALE 10\n"}


class Library:
    """As torch's: positions are those of `program_source`, whatever was embedded."""

    def __init__(self, source):
        self._library = compile_source(source)

    def __getattr__(self, name):
        kernel = getattr(self._library, name)

        def run(*arguments, **options):
            with torch._C.DisableTorchFunction():
                kernel(*arguments, **options)

        return run


@pytest.fixture
def program(monkeypatch):
    with mac(monkeypatch):
        monkeypatch.setattr(torch.mps, "compile_shader", Library)
        monkeypatch.setattr(torch.mps, "synchronize", lambda: None)

        def opened(source=COPY, files=FILES, checked=False):
            unit = Unit("/tree/k.metal", source, ("/tree",), files)
            made = MpsBackend().open(unit, checked, 1.0)
            made.compile(["scale"])
            return made

        yield opened


def factor(value):
    return torch.tensor([value]).view(torch.uint8).numpy().tobytes()


def test_headers_of_the_checkout_are_embedded_and_results_copied_back(program):
    source, out = torch.arange(8.0), torch.zeros(8)

    launched = program().launch("scale", [source, out, factor(2.0)], (8,), None)

    assert launched.status == "completed"
    assert torch.equal(out, source * 20)


def test_views_keep_their_place_in_their_storage(program):
    storage = torch.zeros(20)
    source, out = torch.arange(20.0)[5:], storage[8:]

    program().launch("scale", [source, out, factor(1.0)], (4,), (4,))

    assert torch.equal(storage[8:12], torch.arange(5.0, 9.0) * 10)
    assert int(storage.count_nonzero()) == 4


def test_two_views_of_one_storage_stay_one_storage(program):
    storage = torch.arange(8.0)

    program().launch("scale", [storage[:4], storage[4:], factor(1.0)], (4,), None)

    assert torch.equal(storage, torch.tensor([0.0, 1, 2, 3, 0, 10, 20, 30]))


def test_a_compile_error_is_mapped_back_to_the_header(program, monkeypatch):
    embedded = embedded_unit(Unit("/tree/k.metal", COPY, ("/tree",), FILES))
    line = next(n for n, it in enumerate(embedded.text.split("\n"), 1) if "#define SCALE" in it)

    def refuse(_source):
        raise SyntaxError(f"program_source:{line}:9: error: bad macro\n")

    monkeypatch.setattr(torch.mps, "compile_shader", refuse)

    with pytest.raises(CompilationError) as caught:
        program()

    (problem,) = caught.value.problems
    assert (problem.path, problem.line, problem.column) == ("/tree/scale.h", 1, 9)


def test_a_device_that_fails_is_an_outcome(program, monkeypatch):
    made = program()

    def fail():
        raise RuntimeError("Caused GPU Timeout Error\nmore")

    monkeypatch.setattr(torch.mps, "synchronize", fail)
    launched = made.launch("scale", [torch.ones(2), torch.zeros(2), factor(1.0)], (2,), None)

    assert (launched.status, launched.message) == ("crashed", "Caused GPU Timeout Error")


REPORT = (
    b'Invalid device store executing kernel function "scale", at offset 8\nprogram_source:7:3\n'
)


def test_a_checked_run_reads_what_the_validation_layer_writes(program, monkeypatch):
    made = program(checked=True)
    monkeypatch.setattr(torch.mps, "synchronize", lambda: os.write(2, REPORT) and None)

    launched = made.launch("scale", [torch.ones(2), torch.zeros(2), factor(1.0)], (2,), None)

    (found,) = launched.findings
    assert (found.kind, found.path, found.line) == ("out-of-bounds-write", "/tree/k.metal", 6)


def test_a_checked_library_collects_findings_over_calls(program, monkeypatch):
    assert program().specs == ()
    monkeypatch.setattr(torch.mps, "synchronize", lambda: os.write(2, REPORT) and None)
    monkeypatch.setattr(os, "environ", {})
    embedded = embedded_unit(Unit("/tree/k.metal", COPY, ("/tree",), FILES))
    library = CheckedLibrary(torch.mps.compile_shader(embedded.text), embedded)

    for _ in range(2):
        library.scale(torch.ones(2), torch.zeros(2), 1.0, threads=[2])

    assert [it.kind for it in library.findings] == ["out-of-bounds-write"] * 2
