import pytest

from mkls.text.wording import printable


@pytest.mark.parametrize("text", ["", "plain", "a\ttab\n", "é 𝄞 中"])
def test_text_is_left_alone(text):
    assert printable(text) == text


@pytest.mark.parametrize("text", ["\x1b", "\x00", "\r", "\x0c", "\x9b", "\udce9"])
def test_what_is_no_text_is_marked_and_keeps_its_place(text):
    assert printable(f"a{text}b") == "a\ufffdb"
