"""What differs between two texts."""

from hypothesis import given
from hypothesis import strategies as st

from mkls.server.text_difference import Difference, difference
from mkls.text.span import Span

texts = st.text("ab\n", max_size=12)


@given(texts, texts, texts, texts)
def test_outside_of_the_difference_the_texts_are_the_same(before, old, new, after):
    one, other = before + old + after, before + new + after

    found = difference(one, other)

    assert one[: found.start] == other[: found.start]
    assert one[found.end :] == other[found.new_end :]
    assert found.end - found.start <= len(old)
    assert found.start <= min(found.end, found.new_end)


@given(texts, texts, st.data())
def test_a_span_that_is_not_touched_keeps_its_text(one, other, data):
    ends = sorted(data.draw(st.tuples(*[st.integers(0, len(one))] * 2)))
    span, change = Span(*ends), difference(one, other)

    if ends[0] < ends[1] and not change.touches(span):
        moved = change.moved(span)
        assert other[moved.start : moved.end] == one[span.start : span.end]


def test_what_is_put_in_beside_a_span_does_not_touch_it():
    assert difference("ab", "axb") == Difference(1, 1, 2)
    assert not Difference(1, 1, 2).touches(Span(0, 1))
    assert not Difference(1, 1, 2).touches(Span(1, 2))
    assert Difference(1, 1, 2).touches(Span(0, 2))
