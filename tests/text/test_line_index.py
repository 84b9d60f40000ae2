from hypothesis import given
from hypothesis import strategies as st

from mkls.text.line_index import Encoding, LineIndex, Position, units
from mkls.text.span import Span

TEXTS = st.text(st.sampled_from("ab\n\r\u2028\x0cé漢😋\t"), max_size=30)
ENCODINGS = st.sampled_from(list(Encoding))


@given(TEXTS, ENCODINGS, st.data())
def test_an_offset_survives_the_way_there_and_back(text, encoding, data):
    lines = LineIndex(text)
    offset = data.draw(st.integers(0, len(text)))
    inside_line_ending = text[offset - 1 : offset + 1] == "\r\n"

    back = lines.offset(lines.position(offset, encoding), encoding)

    assert back == (offset - 1 if inside_line_ending else offset)


@given(TEXTS, ENCODINGS)
def test_columns_count_code_units(text, encoding):
    lines = LineIndex(text)
    codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding.value]
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding.value]

    for offset in range(len(text) + 1):
        line, column = lines.position(offset, encoding)
        before = text[lines.starts[line] : offset]
        assert column == len(before.encode(codec)) // width


def test_only_the_three_line_endings_of_the_protocol_end_a_line():
    assert LineIndex("a\r\nb\rc\nd\u2028e\x0cf").starts == [0, 3, 5, 7]


def test_a_column_past_the_end_means_the_end_of_the_line():
    lines = LineIndex("ab\ncd\n")

    assert lines.offset(Position(0, 99)) == 2
    assert lines.offset(Position(9, 0)) == 6
    assert lines.offset(Position(-1, 0)) == 0


def test_a_column_in_the_middle_of_a_code_point_means_its_start():
    lines = LineIndex("x😋y")

    assert lines.offset(Position(0, 2), Encoding.UTF16) == 1
    assert lines.offset(Position(0, 3), Encoding.UTF16) == 2
    assert lines.offset(Position(0, 4), Encoding.UTF8) == 1


def test_units_of_an_astral_character():
    assert [units("😋", encoding) for encoding in Encoding] == [4, 2, 1]


def test_spans():
    span = Span(2, 5)

    assert 5 in span
    assert 6 not in span
    assert span.overlaps(Span(4, 9))
    assert not span.overlaps(Span(5, 9))
    assert span.covers(Span(3, 5))
    assert span.shifted(2) == Span(4, 7)
    assert span.of("abcdef") == "cde"
