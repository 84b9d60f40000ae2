"""From operators to kernels and back, call by call."""

from mkls.features.call_hierarchy import incoming, outgoing, prepared
from tests.features.ripple import with_cursor
from tests.support.fixture import parse


def calls(source: str) -> tuple[list[str], list[str], list[str]]:
    """Return the node under the cursor, who calls it and whom it calls."""
    fixture = parse(source)
    (node,) = prepared(fixture.snapshot, *fixture.place)
    asked = node.kind, node.names, node.uri
    came, went = incoming(fixture.snapshot, *asked), outgoing(fixture.snapshot, *asked)
    assert all(at.uri == it.node.uri for it in came for at in it.places)
    assert all(at.uri == node.uri for it in went for at in it.places)
    return [node.title], [it.node.title for it in came], [it.node.title for it in went]


def test_an_operator_calls_its_host_function():
    assert calls(with_cursor("- func: ripple", ".out")) == (["ripple.out"], [], ["ripple_out"])


def test_a_delegating_row_calls_the_structured_function():
    assert calls(with_cursor("- func: rip", "ple(")) == (["ripple"], [], ["ripple_out"])


def test_a_host_function_is_called_by_rows_and_calls_what_its_stub_is_registered_with():
    name, came, went = calls(with_cursor("IMPL_FUNC(ripple", "_out)"))

    assert (name, came, went) == (["ripple_out"], ["ripple.out"], ["ripple_mps_kernel"])


def test_a_registered_function_is_called_through_its_stub_and_calls_kernels():
    name, came, went = calls(with_cursor("static void ripple", "_mps_kernel"))

    assert (name, came) == (["ripple_mps_kernel"], ["ripple_out"])
    assert went == ["REGISTER(ripple, float)", "REGISTER(ripple, half)"]


def test_what_one_registration_makes_is_one_node():
    name, came, went = calls(with_cursor("REGISTER(rip", "ple, float)"))

    assert (name, came, went) == (["REGISTER(ripple, float)"], ["ripple_mps_kernel"], [])
