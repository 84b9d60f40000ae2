"""Edits in any encoding do to our text what they did to the editor's."""

from hypothesis import given
from hypothesis import strategies as st

from mkls.server.text_changes import TextChange, apply_changes
from mkls.text.line_index import Encoding, LineIndex, Position

CHARACTERS = "ab\té\u2028\x0c\x85𝒳\ud800\r\n"
texts = st.text(alphabet=CHARACTERS, max_size=30)


class ReferenceEditor:
    """An editor that keeps its text as code units of its encoding, and looks for lines in those."""

    def __init__(self, text: str, encoding: Encoding) -> None:
        self.codec = {
            Encoding.UTF8: ("utf-8", 1),
            Encoding.UTF16: ("utf-16-le", 2),
            Encoding.UTF32: ("utf-32-le", 4),
        }[encoding]
        self.units = self.encode(text)

    def encode(self, text: str) -> list[bytes]:
        name, size = self.codec
        data = text.encode(name, "surrogatepass")
        return [data[at : at + size] for at in range(0, len(data), size)]

    @property
    def text(self) -> str:
        return b"".join(self.units).decode(self.codec[0], "surrogatepass")

    def lines(self) -> list[tuple[int, int]]:
        """Start and end of each line, in units, without its ending."""
        feed, carriage = self.encode("\n")[0], self.encode("\r")[0]
        lines, start, at = [], 0, 0
        while at < len(self.units):
            if self.units[at] == feed:
                lines.append((start, at))
                start = at + 1
            elif self.units[at] == carriage:
                lines.append((start, at))
                if self.units[at + 1 : at + 2] == [feed]:
                    at += 1
                start = at + 1
            at += 1
        return [*lines, (start, len(self.units))]

    def places(self) -> list[tuple[Position, int]]:
        """Each position at which a cursor can stand, with its offset in units."""
        whole = []
        for line, (start, end) in enumerate(self.lines()):
            content = b"".join(self.units[start:end]).decode(self.codec[0], "surrogatepass")
            column = 0
            for character in (*content, ""):
                whole.append((Position(line, column), start + column))
                column += len(self.encode(character))
        return whole

    def replace(self, start: int, end: int, text: str) -> None:
        self.units[start:end] = self.encode(text)


@given(texts, st.sampled_from(Encoding), st.data())
def test_changes_follow_the_editor(text, encoding, data):
    editor = ReferenceEditor(text, encoding)
    changes = []
    for _ in range(data.draw(st.integers(0, 5))):
        places = editor.places()
        ends = sorted((data.draw(st.sampled_from(places)) for _ in range(2)), key=lambda it: it[1])
        new = data.draw(texts)
        changes.append(TextChange(new, (ends[0][0], ends[1][0])))
        editor.replace(ends[0][1], ends[1][1], new)

    assert apply_changes(LineIndex(text), changes, encoding) == editor.text


@given(texts, texts, st.sampled_from(Encoding))
def test_a_change_without_a_range_replaces_everything(text, new, encoding):
    changes = [TextChange(new), TextChange("!", (Position(0, 0), Position(0, 0)))]

    assert apply_changes(LineIndex(text), changes, encoding) == "!" + new


@given(texts, st.sampled_from(Encoding), st.integers(-3, 40), st.integers(-3, 40))
def test_positions_outside_of_the_text_are_clamped(text, encoding, line, column):
    place = Position(line, column)

    changed = apply_changes(LineIndex(text), [TextChange("!", (place, place))], encoding)

    assert changed.replace("!", "", 1) == text


def test_changes_from_the_end_to_the_start_need_no_new_count_of_lines(monkeypatch):
    lines = LineIndex("a\n" * 100)
    counted = []
    monkeypatch.setattr(
        "mkls.server.text_changes.LineIndex", lambda text: counted.append(text) or LineIndex(text)
    )
    changes = [
        TextChange("bb", (Position(line, 0), Position(line, 1))) for line in reversed(range(100))
    ]

    assert apply_changes(lines, changes, Encoding.UTF16) == "bb\n" * 100
    assert not counted
