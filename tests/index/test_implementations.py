"""Definitions against the rows and stubs that name them, on PyTorch's own tree."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mkls.facts.host import host_facts
from mkls.index.implementation_parameters import wrong_implementations
from mkls.index.snapshot import Snapshot
from mkls.index.stub_types import mismatches, parameters_of_stub, undeclared, undefined_functions
from mkls.session.config import Config
from mkls.session.loading import load_workspace
from mkls.syntax.host.function_type import differ


@pytest.fixture(scope="module")
def snapshot(pytorch_tree) -> Snapshot:
    return load_workspace(pytorch_tree, Config()).snapshot()


def test_every_definition_fits_its_row(snapshot):
    assert [it for uri in snapshot.sources for it in wrong_implementations(snapshot, uri)] == []


def test_every_registration_fits_its_stub(snapshot):
    for judged in (mismatches, undeclared, undefined_functions):
        assert [it for uri in snapshot.sources for it in judged(snapshot, uri)] == []


def test_the_type_of_every_stub_is_known_but_of_those_declared_twice(snapshot):
    stubs = snapshot.host.stubs.by_name.values()
    unknown = {it.name for it in stubs if it.declared and not parameters_of_stub(snapshot, it)}

    # In other headers they are stubs of other types.
    assert unknown == {"clamp_stub", "copy_stub"}


def test_the_cpu_s_kernels_fit_too(snapshot, pytorch_tree):
    """mkls does not judge them; they show on hundreds of functions that the comparison is right."""
    compared = 0
    for name, types in _cpu_kernels(pytorch_tree):
        stub = snapshot.host.stubs.by_name.get(name)
        parameters = parameters_of_stub(snapshot, stub) if stub else None
        if parameters is not None:
            compared += 1
            assert any(
                len(own) == len(parameters) and not any(map(differ, own, parameters))
                for own in types
            ), name
    assert compared > 400


def _cpu_kernels(root: Path) -> Iterator[tuple[str, list[list[str]]]]:
    """Yield each stub that a C++ source registers, and the parameters of what it may be."""
    for path in sorted((root / "aten/src/ATen/native").rglob("*.cpp")):
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        if "REGISTER_" not in text:
            continue
        items = [it.facts for it in host_facts(text).items]
        functions: dict[str, list[list[str]]] = {}
        for function in (it for facts in items for it in facts.functions):
            types = [parameter.type for parameter in function.parameters]
            functions.setdefault(function.name.text, []).append(types)
        for registration in (it for facts in items for it in facts.registrations):
            if registration.function and registration.function.text in functions:
                yield registration.stub.text, functions[registration.function.text]
