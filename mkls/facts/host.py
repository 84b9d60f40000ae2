"""Read what an Objective-C++ file states."""

from mkls.facts.host_items import item_facts
from mkls.facts.model.host import HostFacts, Include, Item, ItemFacts, Macro
from mkls.facts.model.name import Name
from mkls.syntax.host import items as syntax
from mkls.syntax.host.blanking import Code
from mkls.syntax.host.directives import define_of, include_of
from mkls.text.span import Span

_NOTHING = ItemFacts()
_CAPACITY = 20_000
_known: dict[str, ItemFacts] = {}
"""What items state, by their text: an edit re-reads the items it touches and no other."""


def host_facts(text: str) -> HostFacts:
    """Return what the Objective-C++ `text` states; broken text states less."""
    code = Code(text)
    found = [Item(item.start, _facts(code, item)) for item in syntax.items(code.code)]
    macros, includes = _directives(code)
    stated = tuple(item for item in found if item.facts is not _NOTHING)
    return HostFacts(items=stated, macros=macros, includes=includes)


def _facts(code: Code, item: syntax.Item) -> ItemFacts:
    text = code.text[item.start : item.end]
    facts = _known.get(text)
    if facts is None:
        facts = item_facts(code.part(item.start, item.end), item.shifted(-item.start))
        if facts == _NOTHING:
            facts = _NOTHING
        if len(_known) >= _CAPACITY:
            _known.clear()
        _known[text] = facts
    return facts


def _directives(code: Code) -> tuple[tuple[Macro, ...], tuple[Include, ...]]:
    macros: list[Macro] = []
    includes: list[Include] = []
    for start, end in code.directives:
        if path := include_of(code.text, start, end):
            includes.append(Include(Name(code.text[slice(*path)], Span(*path))))
        elif define := define_of(code.text, start, end):
            name = Name(code.text[slice(*define.name)], Span(*define.name))
            macros.append(Macro(name, define.parameters, define.body, Span(start, end)))
    return tuple(macros), tuple(includes)


def forget() -> None:
    """Forget what items state: for tests and measurements, nothing else depends on it."""
    _known.clear()
