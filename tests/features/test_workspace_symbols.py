"""Part of a name finds it."""

from hypothesis import given
from hypothesis import strategies as st

from mkls.features.workspace_symbols import LIMIT, workspace_symbols
from tests.features.ripple import RIPPLE
from tests.support.fixture import of_files, parse

SNAPSHOT = parse(RIPPLE).snapshot


def found(query: str) -> list[tuple[str, str]]:
    return [(it.kind.value, it.name) for it in workspace_symbols(SNAPSHOT, query)]


def test_everything_has_a_name():
    assert found("ripple_half") == [("kernel", "ripple_half"), ("kernel", "ripple_again_half")]
    assert ("stub", "ripple_stub") in found("stub")
    assert ("struct", "ripple_functor") in found("functor")
    assert ("macro", "REGISTER") in found("reg")
    assert ("function", "wave_mps") in found("wavemps")


def test_the_nearest_name_is_first():
    assert found("ripple")[0] == ("overload", "ripple")
    assert found("RIPPLE.OUT")[0] == ("overload", "ripple.out")


def test_nothing_is_found_for_what_nobody_is_called():
    assert found("zzz") == []
    assert found("\n(") == []


def test_a_long_list_is_cut():
    rows = "".join(f"- func: op{n}(Tensor self) -> Tensor\n\n" for n in range(LIMIT + 50))
    snapshot = of_files({"aten/src/ATen/native/native_functions.yaml": rows}).snapshot

    assert len(workspace_symbols(snapshot, "op")) == LIMIT
    assert len(workspace_symbols(snapshot, "")) == LIMIT


@given(st.text(max_size=8))
def test_what_is_found_holds_the_query_in_order(query):
    for it in workspace_symbols(SNAPSHOT, query):
        rest = iter(it.name.lower())
        assert all(character in rest for character in "".join(query.lower().split()))


@given(st.sampled_from(workspace_symbols(SNAPSHOT, "")))
def test_every_name_finds_itself(symbol):
    assert symbol in workspace_symbols(SNAPSHOT, symbol.name)
