"""Split `native_functions.yaml` into entries.

An entry begins in the first column, with `- func: …`, and runs to where the next one begins; the
comments above an entry therefore belong to the text of the one before it. Anything else in the
first column begins an entry as well, a broken one, so that it stays broken alone: only a known
key that lost its indentation stays with the entry above it, where it was meant to be.
"""

import re

KNOWN_KEYS = (
    "func",
    "variants",
    "dispatch",
    "structured",
    "structured_inherits",
    "structured_delegate",
    "autogen",
    "ufunc_inner_loop",
    "precomputed",
    "device_check",
    "device_guard",
    "cpp_no_default_args",
    "manual_cpp_binding",
    "manual_kernel_registration",
    "python_module",
    "category_override",
    "use_const_ref_for_mutable_tensors",
    "tags",
)
"""Every key that torchgen's `NativeFunction.from_yaml` takes."""

_INNER_KEYS = "|".join(KNOWN_KEYS[1:])
_BOUNDARY = re.compile(rf"\n(?![ \t\r\n#]|(?:{_INNER_KEYS}):)(?=.)")
_BOUNDARY_ANY_EOL = re.compile(rf"(?:\n|\r(?!\n))(?![ \t\r\n#]|(?:{_INNER_KEYS}):)(?=.)")
_NOTHING = re.compile(r"\ufeff?(?:[ \t]*(?:#[^\r\n]*|(?:---|%YAML)[^\r\n]*)?(?:\r\n|\r|\n|\Z))*\Z")


def entry_starts(text: str) -> list[int]:
    """Return the offset of every entry, in order."""
    boundary = _BOUNDARY_ANY_EOL if "\r" in text else _BOUNDARY
    starts = [match.end() for match in boundary.finditer(text)]
    first = 1 if text.startswith("\ufeff") else 0
    if first < len(text) and text[first] not in " \t\r\n#":
        starts.insert(0, first)
    if starts and text.startswith("---", starts[0]):
        del starts[0]
    return starts


def entry_texts(text: str) -> tuple[str, list[int], list[str]]:
    """Return what stands above the first entry, where each entry starts, and each one's text."""
    starts = entry_starts(text)
    if not starts:
        return text, [], []
    ends = [*starts[1:], len(text)]
    return (
        text[: starts[0]],
        starts,
        [text[start:end] for start, end in zip(starts, ends, strict=True)],
    )


def says_nothing(head: str) -> bool:
    """Whether `head` is only blank lines, comments and YAML's own markers."""
    return _NOTHING.match(head) is not None
