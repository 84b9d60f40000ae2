"""The lists of a checkout's torchgen are those that it has when it is imported."""

import json
import subprocess
import sys

import pytest

from mkls.facts.model.torchgen import TorchgenFacts
from mkls.facts.torchgen import torchgen_facts
from tests.support.pytorch import package_folder, pytorch_tree_path

PROGRAM = """
import json, torchgen.model as model
print(json.dumps({
    "dispatch_keys": [it.name for it in model.dispatch_keys],
    "known_dispatch_keys": list(model.DispatchKey.__members__),
    "structured_keys": [it.name for it in model.STRUCTURED_DISPATCH_KEYS],
    "base_types": list(model.BaseTy.__members__),
}))
"""


@pytest.mark.parametrize("version", ["2.6", "2.13"])
def test_the_lists_of_model_py(version):
    root = pytorch_tree_path() if version == "2.6" else package_folder("torchgen").parent
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(root)},
    )
    facts = torchgen_facts((root / "torchgen/model.py").read_text(encoding="utf-8"))

    for name, expected in json.loads(run.stdout).items():
        assert getattr(facts, name) == frozenset(expected), name
    assert facts.tags is None


def test_a_list_may_be_the_first_thing_in_the_file():
    facts = torchgen_facts("dispatch_keys = [\n    DispatchKey.CPU,\n]\n")

    assert facts.dispatch_keys == frozenset(("CPU",))


def test_a_set_on_one_line_is_read():
    keys = "STRUCTURED_DISPATCH_KEYS = {DispatchKey.MPS, DispatchKey.CUDA, DispatchKey.CPU}"
    text = f"\n{keys}\nUFUNC_DISPATCH_KEYS = {{DispatchKey.XPU}}\n"

    assert torchgen_facts(text).structured_keys == frozenset(("CPU", "CUDA", "MPS"))


def test_of_what_arguments_say_that_an_operator_is_random(pytorch_tree):
    check = (
        'if ("dropout" in str(self.func.name)):\n    assert "nondeterministic_seeded" in self.tags'
    )
    own = torchgen_facts((pytorch_tree / "torchgen/model.py").read_text(encoding="utf-8"))

    assert own.seeded_arguments == frozenset(("dropout",))
    assert torchgen_facts(check).seeded_arguments == frozenset()


def test_tags(pytorch_tree):
    path = pytorch_tree / "aten/src/ATen/native/tags.yaml"
    facts = torchgen_facts(path.read_text(encoding="utf-8"))

    assert facts.tags is not None
    assert {"core", "pointwise", "inplace_view"} <= facts.tags
    assert facts.dispatch_keys is None


@pytest.mark.parametrize(
    "text", ["", "\n", "class DispatchKey(Enum):", "\ndispatch_keys = [\n", "- tag:"]
)
def test_half_a_file_states_nothing(text):
    assert torchgen_facts(text) == TorchgenFacts()
