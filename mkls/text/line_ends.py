"""Line ends as readers of text see them."""

import re

_LONE_RETURN = re.compile(r"\r(?!\n)")


def with_newlines(text: str) -> str:
    r"""Return `text`, as long as before, with a `\n` for each `\r` that ends a line alone.

    It is `text` itself where none does. So do clang and YAML read it (YAML 1.2, 5.4), and so do
    editors count lines.
    """
    if "\r" not in text:
        return text
    changed, count = _LONE_RETURN.subn("\n", text)
    return changed if count else text
