"""However one entry of PyTorch's file is broken, every other entry is the same object as before."""

import pytest

from mkls.facts.native_functions import native_functions_facts

BREAKAGES = {
    "a half": lambda it: it[: len(it) // 2] + "\n",
    "one character": lambda it: it[0] + "\n",
    "the dash alone": lambda _: "- \n",
    "no dash": lambda it: it[2:],
    "no blank after the dash": lambda it: "-" + it[2:],
    "half a key": lambda it: it.replace("- func:", "- fu", 1),
    "no colon": lambda it: it.replace("func:", "func", 1),
    "no blank after the colon": lambda it: it.replace("func: ", "func:", 1),
    "an unclosed quote": lambda it: it.replace("func: ", "func: '", 1),
    "an unclosed double quote": lambda it: it.replace("func: ", 'func: "', 1),
    "an unclosed bracket": lambda it: it.replace("func: ", "func: [", 1),
    "an unclosed brace": lambda it: it.replace("func: ", "func: {", 1),
    "a block scalar": lambda it: it.replace("func: ", "func: |", 1),
    "an alias": lambda it: it.replace("func: ", "func: *", 1),
    "a tag": lambda it: it.replace("func: ", "func: !x ", 1),
    "a reserved character": lambda it: it.replace("func: ", "func: @", 1),
    "a colon in the value": lambda it: it.replace("(", ": (", 1),
    "a comment in the value": lambda it: it.replace("(", " #(", 1),
    "tabs": lambda it: it.replace("  ", "\t"),
    "one blank less": lambda it: it.replace("\n  ", "\n "),
    "one blank more": lambda it: it.replace("\n  ", "\n   ", 1),
    "known keys in the first column": lambda it: it.replace("\n  ", "\n"),
    "a conflict": lambda it: it.replace("\n", "\n<<<<<<< ours\n=======\n>>>>>>> theirs\n", 1),
    "a new document": lambda it: it.replace("\n", "\n---\n", 1),
    "the end of the document": lambda it: it.replace("\n", "\n...\n", 1),
    "a directive": lambda it: it.replace("\n", "\n%TAG ! x\n", 1),
    "a control character": lambda it: it.replace("(", "\x00(", 1),
    "a line in the way": lambda it: it.replace("\n", "\n  what is this\n", 1),
    "nothing": lambda _: "",
    "twice": lambda it: it + "\n" + it,
}
EVERY = 331
"""How far the entries are apart that are broken: a prime, so that all kinds of entries come up."""


@pytest.mark.parametrize("breakage", BREAKAGES.values(), ids=BREAKAGES)
def test_all_other_entries_survive(breakage, native_functions_2_13):
    text = native_functions_2_13.read_text(encoding="utf-8")
    entries = native_functions_facts(text).entries
    for index in range(1, len(entries) - 1, EVERY):
        start, end = entries[index].start, entries[index + 1].start
        broken = breakage(text[start:end].rstrip("\n") + "\n")
        after = native_functions_facts(text[:start] + broken + text[end:]).entries

        # Where an entry's first line is gone, its other lines are the previous entry's by right.
        spared = index if broken.startswith(("-", "func")) else index - 1
        assert all(after[it].entry is entries[it].entry for it in range(spared))
        later = range(1, len(entries) - index)
        assert all(after[-it].entry is entries[-it].entry for it in later)
