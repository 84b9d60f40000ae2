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


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (Language.HOST, 'x "// mkls: ignore[one]"', False),
        (Language.HOST, 'x "# mkls: ignore[one]"', False),
        (Language.HOST, r'x "\" // mkls: ignore[one]"', False),
        (Language.HOST, 'x "/*" + "mkls: ignore[one]"', False),
        (Language.HOST, 'x "// no" // mkls: ignore[one]', True),
        (Language.HOST, "x '\"' // mkls: ignore[one]", True),
        (Language.HOST, "x 1'000 + 2 // mkls: ignore[one]", True),
        (Language.HOST, 'x R"X(int i; // mkls: ignore[one]\n)X"', True),
        (Language.HOST, 'x R"X(" no end)X"; // mkls: ignore[one]', True),
        (Language.HOST, 'x "no end // mkls: ignore[one]', True),
        (Language.HOST, "x // it's mkls: ignore[one]", True),
        (Language.METAL, 'x "// mkls: ignore-file[one]"', False),
        (Language.NATIVE_FUNCTIONS, 'x: "# mkls: ignore[one]"', False),
        (Language.NATIVE_FUNCTIONS, "x: '# mkls: ignore[one]'", False),
        (Language.NATIVE_FUNCTIONS, "x: it's # mkls: ignore[one]", True),
        (Language.NATIVE_FUNCTIONS, "x: a#mkls: ignore[one]", False),
        (Language.PYTHON, 'x = "# mkls: ignore[one]"', False),
        (Language.PYTHON, 'x = """\n# mkls: ignore-file[one]\n"""', False),
        (Language.PYTHON, 'x = """ // mkls: ignore[one]\n"""', True),
        (Language.PYTHON, 'x = "it\'s"  # mkls: ignore[one]', True),
    ],
)
def test_what_a_string_says_silences_nothing(language, text, expected):
    suppressions = Suppressions(Document(Uri("file:///a"), language, text))

    assert suppressions.silence(RULE, Span(0, 1)) is expected


def test_lines_may_end_at_returns_alone():
    assert silenced("y\r// mkls: ignore[one]\rx\r", 2)
    assert not silenced("// mkls: ignore[one]\ry\rx\r", 2)


def test_codes_have_their_places():
    document = Document(Uri("file:///a.mm"), Language.HOST, "x // mkls: ignore[two, one]")

    assert Suppressions(document).codes == (("two", Span(18, 21)), ("one", Span(23, 26)))
