import pytest

from mkls.diagnostics.model import Group, Rule, Severity
from mkls.diagnostics.suppression import Suppressions
from mkls.text.document import Document, Language, Uri
from mkls.text.span import Span

RULE = Rule("one", Group.STUB, Severity.ERROR, frozenset(), lambda *_: iter(()), "")


def silenced(text: str, line: int) -> bool:
    document = Document(Uri("file:///a.mm"), Language.HOST, text)
    start = document.lines.starts[line]
    return Suppressions(document).silence(RULE, Span(start, start + 1))


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("x // mkls: ignore[one]\n", 0, True),
        ("// mkls: ignore[one]\nx\n", 1, True),
        ("// mkls: ignore[one]\n\nx\n", 2, False),
        ("x\n// mkls: ignore[one]\n", 0, False),
        ("x /* mkls: ignore[two] */ /* mkls: ignore[one] */\n", 0, True),
        ("x // mkls: ignore[two, one]\n", 0, True),
        ("x # mkls:ignore[one]\n", 0, True),
        ("x // mkls: ignore[stub]\n", 0, True),
        ("x // mkls: ignore[all]\n", 0, True),
        ("x // mkls: ignore[two]\n", 0, False),
        ("x // mkls: ignore\n", 0, False),
        ("x\n// mkls: ignore-file[one]\n", 0, True),
    ],
)
def test_what_a_comment_silences(text, line, expected):
    assert silenced(text, line) is expected


def test_codes_have_their_places():
    document = Document(Uri("file:///a.mm"), Language.HOST, "x // mkls: ignore[two, one]")

    assert Suppressions(document).codes == (("two", Span(18, 21)), ("one", Span(23, 26)))
