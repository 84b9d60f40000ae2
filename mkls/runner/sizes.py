"""The launches that a sweep tries, and smaller ones to shrink a failing launch to."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from mkls.runner.request import Launch

LARGEST_GROUP = 1024
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
_GROUPS = (1, 7, 31, 32, 33, 48, 100, 256, LARGEST_GROUP)


@dataclass(frozen=True)
class Size:
    """One launch: threads and threadgroup along each axis, and the arguments for that size.

    Without `group_size`, the default holds.
    """

    threads: tuple[int, ...]
    group_size: tuple[int, ...] | None
    arguments: tuple[tuple[str, str], ...]


def size_of(launch: Launch) -> Size | None:
    """Return what `launch` asks for; None when it does not give its threads in numbers."""
    arguments = tuple((it[0], it[1]) for it in launch.arguments)
    threads = _axes(launch.threads) or _first_count(arguments)
    if threads is None:
        return None
    return Size(threads, _axes(launch.group_size), arguments)


def _axes(text: str | None) -> tuple[int, ...] | None:
    if text is None or not re.fullmatch(r"[\d\s,()\[\]]+", text):
        return None
    numbers = tuple(int(it) for it in re.findall(r"\d+", text))
    return numbers if 1 <= len(numbers) <= 3 and min(numbers) > 0 else None


def _first_count(arguments: tuple[tuple[str, str], ...]) -> tuple[int, ...] | None:
    """Return the elements of the first tensor that is written down with one size."""
    for _, text in arguments:
        found = re.match(r"\w+\((\d+)[,)]", text)
        if found and int(found.group(1)):
            return (int(found.group(1)),)
    return None


def resized(size: Size, threads: int) -> Size:
    """Return the same launch with `threads` along x; numbers that equal the old count follow."""
    old = size.threads[0]
    arguments = tuple(
        (name, _NUMBER.sub(lambda it: str(threads) if int(it[0]) == old else it[0], text))
        for name, text in size.arguments
    )
    return replace(size, threads=(threads, *size.threads[1:]), arguments=arguments)


def variants(size: Size) -> Iterator[Size]:
    """Return the launches to try, the given one first."""
    seen: set[Size] = set()
    for it in (size, *_other_groups(size), *_other_sizes(size)):
        if it not in seen:
            seen.add(it)
            yield it


def _other_groups(size: Size) -> Iterator[Size]:
    rest = size.group_size[1:] if size.group_size else (1,) * (len(size.threads) - 1)
    others = 1
    for axis in rest:
        others *= axis
    for x in _GROUPS:
        if x * others <= LARGEST_GROUP:
            yield replace(size, group_size=(x, *rest))


def _other_sizes(size: Size) -> Iterator[Size]:
    """Sizes around powers of two; the group stays, so that grids are no multiples of it."""
    given = size.threads[0]
    counts = {given - 1, given + 1, 1}
    power = 2
    while power <= min(given, 4096):
        counts |= {power - 1, power, power + 1}
        power *= 2 if power >= 32 else 16
    for count in sorted(it for it in counts if it > 0):
        yield resized(size, count)


def smaller(size: Size) -> Iterator[Size]:
    """Return launches smaller than `size`, the smallest first."""
    threads = size.threads[0]
    steps = {1, 2, threads // 8, threads // 4, threads // 2, (threads * 3) // 4, threads - 1}
    for count in sorted(it for it in steps if 0 < it < threads):
        yield resized(size, count)
    for axis in range(1, len(size.threads)):
        if size.threads[axis] > 1:
            half = size.threads[axis] // 2
            yield replace(size, threads=(*size.threads[:axis], half, *size.threads[axis + 1 :]))
    if size.group_size and size.group_size[0] > 1:
        x, *rest = size.group_size
        for count in sorted({1, x // 2, x - 1}):
            yield replace(size, group_size=(count, *rest))
