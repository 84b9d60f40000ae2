from mkls.text.edit import Edit, apply_edits, overlapping
from mkls.text.span import Span


def test_edits_apply_from_any_order():
    edits = [Edit(Span(4, 5), "E"), Edit(Span(0, 1), ""), Edit(Span(2, 2), "+")]

    assert apply_edits("abcdef", edits) == "b+cdEf"


def test_insertions_at_one_place_keep_their_order():
    edits = [Edit(Span(1, 1), "2"), Edit(Span(1, 1), "1")]

    assert apply_edits("ab", edits) == "a21b"


def test_overlap():
    assert overlapping([Edit(Span(0, 3), ""), Edit(Span(2, 4), "")])
    assert not overlapping([Edit(Span(0, 2), ""), Edit(Span(2, 4), "")])
