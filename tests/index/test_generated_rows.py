"""What torchgen makes of a signature's variants: its own file is right."""

import pytest

from mkls.facts.model.native_functions import COMPOSITE_IMPLICIT
from mkls.facts.native_functions import native_functions_facts
from mkls.index.generated_rows import wrong_autogens
from mkls.index.groups import repeated_signatures, signature_groups
from mkls.text.document import Uri
from tests.support.fixture import of_files

YAML = "aten/src/ATen/native/native_functions.yaml"


@pytest.fixture(scope="module", params=["2.6", "2.13"])
def text(request, pytorch_tree, native_functions_2_13):
    path = pytorch_tree / YAML if request.param == "2.6" else native_functions_2_13
    return path.read_text(encoding="utf-8")


def test_pytorch_s_own_lines_are_right(text):
    snapshot = of_files({YAML: text}).snapshot

    assert wrong_autogens(snapshot) == {}
    assert list(repeated_signatures(snapshot.operators)) == []


def test_a_wrong_line_of_pytorch_is_found(text):
    listed = [
        it.entry
        for it in native_functions_facts(text).entries
        # Of what decomposes torchgen makes nothing, and ignores the line.
        if it.entry.autogen and it.entry.composite != COMPOSITE_IMPLICIT
    ]
    for entry in listed[::40]:
        name = entry.autogen[0].text
        line = f"autogen: {', '.join(it.text for it in entry.autogen)}\n"
        broken = text.replace(line, line.replace(name, f"{name}_x"), 1)
        assert broken != text, name
        snapshot = of_files({YAML: broken}).snapshot
        [wrong] = wrong_autogens(snapshot)[Uri(f"file:///{YAML}")]
        assert f"{name}_x" in wrong.found


def test_rows_of_one_kind_are_never_two(text):
    operators = of_files({YAML: text}).snapshot.operators
    groups = signature_groups(operators)

    assert sum(len(group) for group in groups.values()) == len(operators.rows)
