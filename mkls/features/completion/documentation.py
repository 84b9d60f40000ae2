"""What there is to know about an item, made when it is looked at."""

from collections.abc import Callable, Mapping

from mkls.features.card_text import card_markdown
from mkls.features.completion.item import ItemKind
from mkls.features.hover_host import hover_functions
from mkls.features.hover_words import host_page
from mkls.features.kernel_card import kernel_card
from mkls.features.meanings import DISPATCH_KEYS, ENTRY_KEYS
from mkls.features.meanings_of_schema import SCHEMA_TYPES, TAGS
from mkls.features.operator_card import operator_card
from mkls.features.reference.pages import pages, word_page
from mkls.features.reference.tables import ATTRIBUTES, metal_words
from mkls.features.subjects import HostFunctions
from mkls.index.snapshot import Snapshot
from mkls.rules import RULES


def documentation(snapshot: Snapshot, kind: ItemKind, name: str) -> str:
    """Return Markdown about the item called `name`, "" where there is no more to tell."""
    write = _WRITERS.get(kind)
    return write(snapshot, name) if write else ""


def _meaning(table: Mapping[str, str]) -> Callable[[Snapshot, str], str]:
    return lambda _snapshot, name: table.get(name.rstrip("?[]0123456789").partition("(")[0], "")


def _operator(snapshot: Snapshot, name: str) -> str:
    card = operator_card(snapshot, name)
    return card_markdown(snapshot, card) if card else ""


def _function(snapshot: Snapshot, name: str) -> str:
    functions = snapshot.host.functions(name)
    if not functions:
        return ""
    span = functions[0].name.span
    return hover_functions(snapshot, HostFunctions(span, functions))


def _rule(_snapshot: Snapshot, code: str) -> str:
    return next((rule.page for rule in RULES if rule.code == code), "")


def _word(_snapshot: Snapshot, name: str) -> str:
    return pages(metal_words().get(name, ()))


def _attribute(_snapshot: Snapshot, name: str) -> str:
    word = ATTRIBUTES.get(name.partition("(")[0])
    return word_page(word, f"[[{name}]]") if word else ""


_WRITERS: Mapping[ItemKind, Callable[[Snapshot, str], str]] = {
    ItemKind.ENTRY_KEY: _meaning(ENTRY_KEYS),
    ItemKind.DISPATCH_KEY: _meaning(DISPATCH_KEYS),
    ItemKind.TAG: _meaning(TAGS),
    ItemKind.SCHEMA_TYPE: _meaning(SCHEMA_TYPES),
    ItemKind.OPERATOR: _operator,
    ItemKind.HOST_FUNCTION: _function,
    ItemKind.HOST_WORD: host_page,
    ItemKind.KERNEL: lambda snapshot, name: kernel_card(snapshot, (name,)),
    ItemKind.METAL_WORD: _word,
    ItemKind.MACRO: _word,
    ItemKind.DTYPE: _word,
    ItemKind.ATTRIBUTE: _attribute,
    ItemKind.CODE: _rule,
}
