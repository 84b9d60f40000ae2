"""Whatever is typed into host code, nothing raises and nothing depends on what was there before."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mkls.facts.cpp import cpp_facts
from mkls.facts.host import forget, host_facts
from mkls.index.host import HostIndex, HostMemo
from mkls.index.name_patterns import HostNames
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.items import items
from tests.facts.test_host_facts import EXTENSION
from tests.index.host_workspace import index_of, tree_texts
from tests.index.test_lookups_library import LIBRARY, USER
from tests.index.test_stubs import HEADER, OPERATORS

FILES = {
    "OperationUtils.mm": LIBRARY,
    "Unary.mm": USER + "REGISTER_DISPATCH(sin_stub, &lerp_kernel)\n",
    "Extension.mm": EXTENSION,
    "UnaryOps.h": HEADER,
    "Ops.cpp": OPERATORS,
}
PIECES = st.sampled_from(
    [
        *(
            "{",
            "}",
            "(",
            ")",
            "[",
            "]",
            '"',
            "'",
            "\\",
            "\n",
            ";",
            ",",
            "+",
            "?",
            ":",
            "@",
            "^",
            "#",
        ),
        *(
            "//",
            "/*",
            "*/",
            'R"(',
            ')"',
            "<",
            ">",
            "::",
            "é",
            "𝄞",
            "\r\n",
            "\u2028",
            "\f",
            "\0",
            "\ud800",
        ),
        *(
            "#define X(a) a##",
            "TORCH_IMPL_FUNC(",
            "REGISTER_DISPATCH(",
            "DECLARE_DISPATCH(",
            "x_stub",
        ),
        *(
            "lib.getPipelineStateForFunc(",
            "lib.exec_unary_kernel(iter, ",
            "fmt::format(",
            "{0}",
            "{}",
        ),
        *(
            "namespace {",
            "static ",
            "name = ",
            "name += ",
            "return ",
            "else ",
            "if (a) ",
            "template <",
        ),
        *("std::string name", "scalarToMetalTypeString(", "@autoreleasepool {", "^() {", "[a b:"),
        *(
            "device_type()",
            "stub(self.device().type(), ",
            "TORCH_LIBRARY_IMPL(aten, MPS, m) {",
            'm.impl("',
        ),
    ]
)
EDIT = st.tuples(
    st.sampled_from(sorted(FILES)),
    st.floats(0, 1),
    st.one_of(st.just(0), st.integers(0, 60)),
    st.one_of(PIECES, st.text(max_size=3), st.just("")),
)


def edited(text: str, at: float, removed: int, added: str) -> str:
    start = int(at * len(text))
    return text[:start] + added + text[start + removed :]


def everything(index: HostIndex) -> object:
    """Return all that an index says, in a form that compares by value."""
    names = HostNames(["exp_dense_float_float"])
    return (
        [(it.place, it.requests, it.unsatisfied(names)) for it in index.lookups],
        index.stubs.by_name,
        {name: index.reaches(name) for name in index.names},
        {name: index.functions(name) for name in index.names},
        index.library_impls,
        index.dtypes,
        [[(s.place(it.span), it) for s, it in document.shaders()] for document in index.documents],
        [list(document.libraries()) for document in index.documents],
    )


@given(st.lists(EDIT, min_size=1, max_size=5))
@settings(max_examples=150, deadline=None)
def test_edits_never_raise_and_leave_no_trace(edits: list[tuple[str, float, int, str]]) -> None:
    files, memo = dict(FILES), HostMemo()
    index = index_of(files, memo)
    everything(index)
    for path, at, removed, added in edits:
        files[path] = edited(files[path], at, removed, added)
        index = index_of(files, memo)
        incremental = everything(index)
    forget()
    assert incremental == everything(index_of(files))


@given(EDIT)
@settings(deadline=None)
def test_blanking_keeps_every_offset(edit: tuple[str, float, int, str]) -> None:
    path, *rest = edit
    text = edited(FILES[path], *rest)
    code = Code(text)
    assert len(code.code) == len(text)
    assert code.code.count("\n") <= text.count("\n")


@given(EDIT)
@settings(deadline=None)
def test_items_follow_each_other(edit: tuple[str, float, int, str]) -> None:
    path, *rest = edit
    end = 0
    code = Code(edited(FILES[path], *rest)).code
    for item in items(code):
        assert end <= item.start < item.end <= len(code)
        assert item.start <= item.header_end <= item.end
        end = item.end


@given(st.text())
@settings(deadline=None)
def test_any_text_is_read(text: str) -> None:
    assert host_facts(text) == host_facts(text)
    assert cpp_facts(text) == cpp_facts(text)


@pytest.mark.parametrize("path", ["LossOps.mm", "OperationUtils.mm", "BinaryKernel.mm", "View.mm"])
@given(st.floats(0, 1), st.integers(0, 40), PIECES)
@settings(max_examples=25, deadline=None)
def test_any_edit_of_a_real_file(
    pytorch_tree: Path, path: str, at: float, removed: int, added: str
) -> None:
    texts = tree_texts(pytorch_tree)
    (text,) = (text for name, text in texts.items() if name.endswith("/" + path))
    changed = edited(text, at, removed, added)
    once = host_facts(changed)
    forget()
    assert host_facts(changed) == once
    assert everything(index_of({"a.mm": changed})) == everything(index_of({"a.mm": changed}))
