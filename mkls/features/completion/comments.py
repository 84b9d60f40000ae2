"""What may be typed in comments that mkls reads: suppressions and directives."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from mkls.diagnostics.model import Group
from mkls.facts.model.metal import MetalFacts, MetalKernel
from mkls.features.completion.item import Item, ItemKind, items
from mkls.rules import RULES
from mkls.text.span import Span

_SUPPRESSION: Final = re.compile(
    r"(?://|#|/\*).*\bmkls:\s*ignore(?:-file)?\[(?:[^\]]*,\s*)?([\w-]*)\Z"
)
_MARK: Final = re.compile(r"(?://|#|/\*)\s*mkls:\s*([\w-]*)\Z")
_NAME: Final = re.compile(r"\s*//+!?\s*(mkls-?[\w-]*)\Z")
_DIRECTIVE: Final = re.compile(r"\s*//+!?\s*mkls-(\w+):\s*(.*)\Z")
_WORD: Final = re.compile(r"[\w.]*\Z")
_DIRECTIVES: Final = {
    "run": ("threads=${1:1024}", "how many threads, and how many in a group"),
    "arg": ("${1:input} = ${2:randn(1024)}", "what the kernel gets for a parameter"),
    "expect": ("${1:output} == ${2:input}", "what must hold afterwards"),
    "reference": ("torch.${1:abs}", "the torch function that computes the same"),
}


class Vocabulary(msgspec.Struct, frozen=True):
    """The words that expressions of directives may use."""

    functions: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ()


def suppression_items(line: str, offset: int) -> Iterator[Item]:
    """Yield codes and groups, in a suppression comment that `line` ends within."""
    if match := _SUPPRESSION.search(line):
        span = Span(offset - len(match[1]), offset)
        for rule in RULES:
            yield Item(rule.code, ItemKind.CODE, span, detail=rule.summary)
        groups = (group.value for group in Group)
        yield from items(("all", *groups), ItemKind.CODE, span, rank=7, detail="a group of rules")
    elif match := _MARK.search(line):
        span = Span(offset - len(match[1]), offset)
        for word, where in (("ignore", "this line and the next"), ("ignore-file", "the file")):
            snippet = f"{word}[${{1:code}}]"
            yield Item(word, ItemKind.DIRECTIVE, span, f"{word}[", snippet, f"silence on {where}")


def directive_items(
    facts: MetalFacts, vocabulary: Vocabulary, line: str, offset: int
) -> Iterator[Item]:
    """Yield what may be typed in a directive that `line` ends within."""
    if match := _NAME.match(line):
        span = Span(offset - len(match[1]), offset)
        for word, (rest, meaning) in _DIRECTIVES.items():
            name = f"mkls-{word}:"
            yield Item(name, ItemKind.DIRECTIVE, span, f"{name} ", f"{name} {rest}", meaning)
        yield from suppression_items(line, offset)
    elif match := _DIRECTIVE.match(line):
        word = _WORD.search(match[2])
        typed = word[0] if word else ""
        span = Span(offset - len(typed), offset)
        kernel = _kernel_below(facts, offset)
        yield from _within(match[1], match[2], kernel, vocabulary, span)


def _within(
    directive: str, text: str, kernel: MetalKernel | None, vocabulary: Vocabulary, span: Span
) -> Iterator[Item]:
    arguments = [
        it.name.text for it in (kernel.arguments if kernel else None) or () if _is_bound(it.kind)
    ]
    if directive == "run":
        for word in ("threads", "group_size"):
            if f"{word}=" not in text:
                yield Item(word, ItemKind.EXPRESSION, span, f"{word}=")
    elif directive == "arg" and "=" not in text:
        yield from (
            Item(name, ItemKind.EXPRESSION, span, f"{name} = ", rank=1) for name in arguments
        )
    elif directive == "reference":
        names = (f"torch.{name}" for name in vocabulary.functions)
        yield from items(names, ItemKind.EXPRESSION, span)
    elif directive in ("arg", "expect"):
        yield from _expression(text, arguments, vocabulary, span)


def _is_bound(kind: str) -> bool:
    return kind in ("buffer", "texture")


def _expression(
    text: str, arguments: Iterable[str], vocabulary: Vocabulary, span: Span
) -> Iterator[Item]:
    if re.search(r"dtype\s*=\s*\w*\Z", text):
        yield from items(vocabulary.dtypes, ItemKind.DTYPE, span, rank=1)
        return
    yield from items(arguments, ItemKind.EXPRESSION, span, rank=1, detail="the kernel's parameter")
    for name in vocabulary.functions:
        yield Item(name, ItemKind.EXPRESSION, span, f"{name}(", f"{name}(${{1}})", "torch", 4)
    yield from items(vocabulary.constants, ItemKind.EXPRESSION, span, rank=6)


def _kernel_below(facts: MetalFacts, offset: int) -> MetalKernel | None:
    below = (it for it in facts.kernels if it.head.end > offset)
    return min(below, key=lambda it: it.span, default=None)
