"""Prove rules by mutation: break one thing in a tree and ask whether mkls notices.

A `Kind` lists, by looking at the tree's text alone, the sites where one kind of mistake can be
made: it knows nothing about rules. A `Subject` holds the tree's session; it makes one mistake at a
time, incrementally as an editor would, and says which findings are new.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from mkls.diagnostics.model import Finding
from mkls.features.diagnostics import DEFAULT_RULES, RuleTable, all_findings
from mkls.index.snapshot import Snapshot
from mkls.session.config import Config
from mkls.session.loading import load_workspace
from mkls.session.state import Session, source_of
from mkls.text.document import Document, Uri, uri_of
from mkls.text.edit import Edit, apply_edits
from mkls.text.span import Span

T = TypeVar("T")


class Tree:
    """The texts that mkls reads, by path relative to the root. `once` keeps what kinds work out."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Hold `texts`."""
        self.texts = texts
        self._known: dict[object, object] = {}

    def once(self, query: "Callable[[Tree], T]") -> T:
        """Return what `query` says about this tree; it is asked once."""
        if query not in self._known:
            self._known[query] = query(self)
        return cast("T", self._known[query])

    def matching(self, pattern: str) -> Iterator[tuple[str, str]]:
        """Yield path and text of each file whose path matches `pattern` somewhere."""
        wanted = re.compile(pattern)
        return ((path, text) for path, text in self.texts.items() if wanted.search(path))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every identifier of the tree."""
        words = re.compile(r"\w+")
        return frozenset(it[0] for text in self.texts.values() for it in words.finditer(text))


class Site(NamedTuple):
    """A place where one mistake can be made.

    `span` is replaced by one of `replacements`. A finding counts when it touches `place`, a wider
    span of the original text that the mistake belongs to (a statement, an entry). `gone` is a name
    that the mistake makes vanish or appear: what is missing can only be reported where it is
    missed, so a finding elsewhere counts when it names it. Several edits of one file are one
    mistake when `more` holds the others (they do not overlap).
    """

    path: str
    span: Span
    replacements: tuple[str, ...]
    place: Span
    gone: tuple[str, ...] = ()
    more: tuple[Edit, ...] = ()


class Kind(NamedTuple):
    """One kind of mistake; `group` is that of the rules which should notice it."""

    name: str
    group: str
    sites: Callable[[Tree], Iterable[Site]]

    @property
    def summary(self) -> str:
        """What the kind does, and on what condition."""
        return " ".join((self.sites.__doc__ or "").split())


class Mutation(NamedTuple):
    """A mistake that was drawn."""

    kind: Kind
    site: Site
    replacement: str

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What it does to the text."""
        return (Edit(self.site.span, self.replacement), *self.site.more)

    def applied(self, text: str) -> str:
        """Return `text` with the mistake in it."""
        return apply_edits(text, self.edits)

    def moved(self, span: Span) -> Span:
        """Return where a span of the original text is after the mistake; insertions push it on."""
        return Span(self._moved(span.start, pushed=True), self._moved(span.end, pushed=False))

    def grown(self, place: Span) -> Span:
        """Return where a place is after the mistake, with what was inserted at its ends."""
        return Span(self._moved(place.start, pushed=False), self._moved(place.end, pushed=True))

    def _moved(self, offset: int, *, pushed: bool) -> int:
        shift = 0
        for span, new_text in ((edit.span, edit.new_text) for edit in self.edits):
            inserted_here = span.start == span.end == offset
            if span.end <= offset and (pushed or not inserted_here):
                shift += len(new_text) - (span.end - span.start)
            elif span.start < offset < span.end:
                shift += min(len(new_text), offset - span.start) - (offset - span.start)
        return offset + shift


class Verdict(NamedTuple):
    """What mkls said to a mutation: `how` is at-place, related, named or missed."""

    mutation: Mutation
    how: str
    new: tuple[Finding, ...]

    @property
    def caught(self) -> bool:
        """Whether a new finding points at the mistake."""
        return self.how != "missed"


def draw(
    kinds: Iterable[Kind], tree: Tree, seed: int, count: int, most: int | None = None
) -> list[Mutation]:
    """Return about `count` mutations, as evenly over `kinds` as their sites allow.

    Equal arguments give equal mutations. A kind without a site is left out; one with few sites is
    not drawn twice with the same text. No kind is drawn more than `most` times.
    """
    pools = {kind: list(kind.sites(tree)) for kind in kinds}
    randoms = {kind: random.Random(f"{seed} {kind.name}") for kind in pools}
    options = {
        kind: _shuffled(
            [(site, text) for site in pool for text in site.replacements], randoms[kind]
        )
        for kind, pool in pools.items()
        if pool
    }
    options = {kind: pool[-most:] if most else pool for kind, pool in options.items()}
    drawn: list[Mutation] = []
    while options and len(drawn) < count:
        for kind in list(options):
            if not options[kind]:
                del options[kind]
            elif len(drawn) < count:
                site, text = options[kind].pop()
                drawn.append(Mutation(kind, site, text))
    return drawn


def _shuffled(values: list[tuple[Site, str]], source: random.Random) -> list[tuple[Site, str]]:
    """Return `values` so that each site comes once before any comes twice, from the end."""
    source.shuffle(values)
    seen: Counter[tuple[str, Span]] = Counter()
    rounds: list[tuple[int, int]] = []
    for position, (site, _) in enumerate(values):
        key = (site.path, site.span)
        rounds.append((seen[key], position))
        seen[key] += 1
    return [values[position] for _, position in sorted(rounds, reverse=True)]


class Subject:
    """A tree under mutation."""

    def __init__(self, root: Path, rules: RuleTable = DEFAULT_RULES) -> None:
        """Load the tree at `root`, and remember what mkls says about it as it is."""
        self._root = uri_of(str(root))
        self._rules = rules
        self._session: Session = load_workspace(root, Config())
        snapshot = self._session.snapshot()
        self.tree = Tree(
            {
                self._path(uri): source.document.text
                for uri, source in snapshot.sources.items()
                if uri.startswith(f"{self._root}/")
            }
        )
        self.findings = all_findings(snapshot, snapshot.sources, rules)
        self._known = Counter(_key(it, it.diagnostic.span) for it in self.findings)

    def _path(self, uri: Uri) -> str:
        return uri.removeprefix(f"{self._root}/")

    def judge(self, mutation: Mutation) -> Verdict:
        """Make the mistake, see what is new, and unmake it."""
        uri = Uri(f"{self._root}/{mutation.site.path}")
        snapshot = self._snapshot_with(mutation, uri)
        found = all_findings(snapshot, snapshot.sources, self._rules)
        new = tuple(self._new(found, mutation, uri))
        texts = [snapshot.sources[it.uri].document.text for it in new]
        return Verdict(mutation, _how(mutation, uri, new, texts), new)

    def places_with(self, mutation: Mutation) -> list[tuple[str, str, Span]]:
        """Return path, code and span of each finding in the tree with the mistake in it."""
        snapshot = self._snapshot_with(mutation, Uri(f"{self._root}/{mutation.site.path}"))
        return self._places(all_findings(snapshot, snapshot.sources, self._rules))

    @property
    def places(self) -> list[tuple[str, str, Span]]:
        """Path, code and span of each finding in the tree as it is."""
        return self._places(self.findings)

    def _places(self, found: list[Finding]) -> list[tuple[str, str, Span]]:
        return [(self._path(it.uri), it.rule.code, it.diagnostic.span) for it in found]

    def _snapshot_with(self, mutation: Mutation, uri: Uri) -> Snapshot:
        """Return the snapshot with the mistake in it; the session is as before afterwards."""
        original = self._session.snapshot().sources[uri]
        text = mutation.applied(original.document.text)
        self._session.load([source_of(Document(uri, original.document.language, text))])
        snapshot = self._session.snapshot()
        self._session.load([original])
        return snapshot

    def _new(self, found: list[Finding], mutation: Mutation, uri: Uri) -> Iterator[Finding]:
        known = Counter(
            {_moved_key(key, mutation, uri): count for key, count in self._known.items()}
        )
        for finding in found:
            key = _key(finding, finding.diagnostic.span)
            if known[key] > 0:
                known[key] -= 1
            else:
                yield finding


_Key = tuple[Uri, str, Span]


def _key(finding: Finding, span: Span) -> _Key:
    return (finding.uri, finding.rule.code, span)


def _moved_key(key: _Key, mutation: Mutation, uri: Uri) -> _Key:
    return (key[0], key[1], mutation.moved(key[2])) if key[0] == uri else key


def _how(mutation: Mutation, uri: Uri, new: tuple[Finding, ...], texts: list[str]) -> str:
    place = mutation.grown(mutation.site.place)
    if any(it.uri == uri and _touches(it.diagnostic.span, place) for it in new):
        return "at-place"
    related = (part for it in new for part in it.diagnostic.related)
    if any(part.uri == uri and _touches(part.span, place) for part in related):
        return "related"
    for finding, text in zip(new, texts, strict=True):
        said = f"{finding.diagnostic.message} {finding.diagnostic.span.of(text)}"
        if any(name in said for name in mutation.site.gone):
            return "named"
    return "missed"


def _touches(span: Span, place: Span) -> bool:
    return span.start <= place.end and place.start <= span.end


def recall_table(verdicts: Iterable[Verdict]) -> str:
    """Return, as lines of text, how many of each kind were caught, how, and by which rules.

    `many` counts the mutations about which more than one rule spoke: one mistake, one diagnostic.
    """
    groups: dict[Kind, Counter[str]] = {}
    rules: dict[Kind, Counter[str]] = {}
    for verdict in verdicts:
        codes = {finding.rule.code for finding in verdict.new}
        rules.setdefault(verdict.mutation.kind, Counter()).update(codes)
        counts = groups.setdefault(verdict.mutation.kind, Counter())
        counts[verdict.how] += 1
        counts["many"] += len(codes) > 1
    total: Counter[str] = Counter()
    lines = [_row("kind", ("drawn", "caught", *_WAYS))]
    for kind, counts in sorted(groups.items(), key=lambda it: (it[0].group, it[0].name)):
        codes = ", ".join(f"{code} {count}" for code, count in rules[kind].most_common(4))
        lines.append(f"{_counts_row(f'{kind.group}/{kind.name}', counts)}  {codes}")
        total += counts
    lines.append(_counts_row("all", total))
    return "\n".join(lines)


_WAYS = ("at-place", "related", "named", "many")


def _counts_row(name: str, counts: Counter[str]) -> str:
    drawn = counts.total() - counts["many"]
    share = f"{100 * (drawn - counts['missed']) / max(drawn, 1):.0f}%"
    return _row(name, (drawn, share, *(counts[way] for way in _WAYS)))


def _row(name: str, cells: Iterable[object]) -> str:
    return f"{name:<42}" + "".join(f"{cell:>9}" for cell in cells)


def describe(verdict: Verdict, tree: Tree) -> str:
    """Return a missed mutation with what is needed to act on it: place, before, after."""
    site = verdict.mutation.site
    text = tree.texts[site.path]
    line = text.count("\n", 0, site.span.start) + 1
    start = text.rfind("\n", 0, site.span.start) + 1
    end = text.find("\n", site.span.end)
    after = verdict.mutation.applied(text)
    moved = verdict.mutation.grown(Span(start, end))
    new = "".join(f"\n    elsewhere: {it.rule.code}: {it.diagnostic.message}" for it in verdict.new)
    return (
        f"{verdict.mutation.kind.name}: {site.path}:{line}\n"
        f"  - {_brief(text[start:end])}\n  + {_brief(moved.of(after))}{new}"
    )


def _brief(text: str) -> str:
    lines = text.split("\n")
    shown = lines if len(lines) <= 6 else [*lines[:5], "…"]
    return "\n    ".join(line.rstrip() for line in shown)
