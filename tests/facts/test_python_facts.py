"""The lists of special operators in PyTorch's tests."""

from hypothesis import given
from hypothesis import strategies as st

from mkls.facts.python import python_facts
from tests.support.pytorch import package_folder

TEXT = """
def mps_ops_modifier(ops):
    SUPPORTED_COMPLEX_OPS = {
        "abs",
        "añadir", "two",  # both on one line
    }
    UNIMPLEMENTED_XFAILLIST: dict[str, list | None] = {
        # a comment
        "linalg.eig": None,
        'put': [torch.float16, torch.int8],  # why
        "clamp": [
            torch.bool,
        ],
    }
    if later:
        UNIMPLEMENTED_XFAILLIST.update({
            "more": None,
        })
    OTHER = {
        "no": None,
    }
"""


def test_each_list_has_its_keys_and_dtypes():
    found = {
        (it.name.text, key.name.text): key.dtypes
        for it in python_facts(TEXT).lists
        for key in it.keys
    }

    assert found == {
        ("SUPPORTED_COMPLEX_OPS", "abs"): None,
        ("SUPPORTED_COMPLEX_OPS", "añadir"): None,
        ("SUPPORTED_COMPLEX_OPS", "two"): None,
        ("UNIMPLEMENTED_XFAILLIST", "linalg.eig"): None,
        ("UNIMPLEMENTED_XFAILLIST", "put"): ("float16", "int8"),
        ("UNIMPLEMENTED_XFAILLIST", "clamp"): ("bool",),
        ("UNIMPLEMENTED_XFAILLIST", "more"): None,
    }


def test_places_are_those_of_what_the_quotes_hold():
    for it in python_facts(TEXT).lists:
        assert it.name.span.of(TEXT) == it.name.text
        for key in it.keys:
            assert key.name.span.of(TEXT) == key.name.text


def test_the_lines_of_a_key_are_its_own():
    keys = {
        key.name.text: key.lines and key.lines.of(TEXT)
        for it in python_facts(TEXT).lists
        for key in it.keys
    }

    assert keys["linalg.eig"] == '        "linalg.eig": None,\n'
    assert keys["put"] == "        'put': [torch.float16, torch.int8],  # why\n"
    assert keys["clamp"] == '        "clamp": [\n            torch.bool,\n        ],\n'
    assert keys["two"] is None


def test_a_mistake_in_one_list_hides_no_other():
    broken = TEXT.replace('"abs",', '"abs" "" [')

    assert [it.name.text for it in python_facts(broken).lists] == [
        "UNIMPLEMENTED_XFAILLIST",
        "UNIMPLEMENTED_XFAILLIST",
    ]


@given(st.integers(0, len(TEXT)), st.text(max_size=4))
def test_reading_never_fails(at, inserted):
    text = TEXT[:at] + inserted + TEXT[at:]

    for it in python_facts(text).lists:
        assert it.name.span.of(text) == it.name.text


def test_pytorch_lists_are_read_in_old_and_new_places(pytorch_tree):
    old = pytorch_tree / "test/test_mps.py"
    new = package_folder("torch") / "testing/_internal/common_mps.py"
    for path in (old, new):
        facts = python_facts(path.read_text(encoding="utf-8"))
        names = {it.name.text: len(it.keys) for it in facts.lists}
        assert {"XFAILLIST_GRAD", "SUPPORTED_COMPLEX_OPS", "SKIPLIST"} <= names.keys()
        assert sum(len(it.keys) for it in facts.lists) > 500
        assert all(key.lines for it in facts.lists for key in it.keys)
