"""Splitting preprocessed text."""

from hypothesis import given
from hypothesis import strategies as st

from mkls.emulator.tokens import Tokens


def test_tokens_skip_space_and_line_markers() -> None:
    tokens = Tokens('# 1 "a.metal"\nint x[2] = {0x1p-3f, 1\'000};\n# 3 "b.h" 2\nfoo::bar')
    assert tokens.texts == [
        "int", "x", "[", "2", "]", "=", "{", "0x1p-3f", ",", "1'000", "}", ";", "foo", "::", "bar",
    ]  # fmt: skip
    assert len(tokens.markers) == 2


def test_strings_hide_brackets() -> None:
    tokens = Tokens(r'f("(\")[", R"x({)")x", ' + "'}')")
    assert tokens.close(1) == len(tokens) - 1


def test_brackets_know_their_partners() -> None:
    tokens = Tokens("a(b[c]{d})")
    assert tokens.texts[tokens.close(1)] == ")"
    assert tokens.partner[tokens.close(1)] == 1


def test_an_open_bracket_closes_at_the_end() -> None:
    assert Tokens("f(a, b").close(1) == 4


def test_commas_of_template_arguments_do_not_split() -> None:
    tokens = Tokens("map<int, vec<float, 2>> a, b[f(1, 2)], c < d")
    parts = [tokens.joined(*span) for span in tokens.split_commas(0, len(tokens))]
    assert parts == ["map<int, vec<float, 2>> a", "b[f(1, 2)]", "c < d"]


@given(st.text(alphabet="abc01 <>(){}[];,:#\"'\n/*\\.", max_size=60))
def test_any_text_is_covered(text: str) -> None:
    tokens = Tokens(text)
    assert all(text.startswith(t, s) for t, s in zip(tokens.texts, tokens.starts, strict=True))
    kept = sum(map(len, tokens.texts)) + sum(end - start for start, end in tokens.markers)
    assert kept == len(text) - sum(len(piece) for piece in _spaces_outside(text, tokens))


def _spaces_outside(text: str, tokens: Tokens) -> list[str]:
    taken = sorted(
        [
            *tokens.markers,
            *((s, s + len(t)) for t, s in zip(tokens.texts, tokens.starts, strict=True)),
        ]
    )
    gaps, at = [], 0
    for start, end in taken:
        gaps.append(text[at:start])
        at = end
    gaps.append(text[at:])
    assert all(not gap.strip() for gap in gaps)
    return gaps
