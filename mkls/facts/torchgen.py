"""Read the lists of `torchgen/model.py` and `tags.yaml` by scanning: nothing is imported."""

import re

from mkls.facts.model.torchgen import TorchgenFacts

_MEMBER = re.compile(r"^    ([A-Za-z_]\w*) *=", re.MULTILINE)
_KEY = re.compile(r"^    DispatchKey\.(\w+),", re.MULTILINE)
_SET_KEY = re.compile(r"\bDispatchKey\.(\w+)")
_SEEDED = re.compile(r"\"(\w+)\" in arg\.name")
_TAG = re.compile(r"^- +tag: *[\"']?(\w+)", re.MULTILINE)


def torchgen_facts(text: str) -> TorchgenFacts:
    """Return the lists that `text`, the text of either file, has. Never fails."""
    tags = frozenset(_TAG.findall(text))
    if tags:
        return TorchgenFacts(tags=tags)
    return TorchgenFacts(
        dispatch_keys=_list(_KEY, text, "dispatch_keys = [", "\n]"),
        known_dispatch_keys=_list(_MEMBER, text, "class DispatchKey(Enum):", "\n    def "),
        structured_keys=_list(_SET_KEY, text, "STRUCTURED_DISPATCH_KEYS = {", "}"),
        seeded_arguments=_seeded(text),
        base_types=_list(_MEMBER, text, "class BaseTy(Enum):", "\n\n\n"),
    )


def _list(item: re.Pattern[str], text: str, begin: str, end: str) -> frozenset[str] | None:
    start = 0 if text.startswith(begin) else text.find("\n" + begin)
    if start < 0:
        return None
    stop = text.find(end, start + 1)
    return frozenset(item.findall(text, start, stop if stop >= 0 else len(text))) or None


def _seeded(text: str) -> frozenset[str] | None:
    """Return the words for which the check of `nondeterministic_seeded` searches arguments."""
    end = text.find('assert "nondeterministic_seeded" in self.tags')
    return frozenset(_SEEDED.findall(text, max(0, end - 1000), end)) if end >= 0 else None
