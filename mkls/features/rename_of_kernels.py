"""Rename what the names of kernels begin with: registrations, look-ups and functors follow.

`REGISTER_BINARY_OP(fmax, half, half)` makes thirteen kernels whose names begin with `fmax`, pastes
`fmax_functor`, and is asked for as `"fmax"`. The stem `fmax` is renamed in all of them at once.
"""

from collections.abc import Iterable, Iterator

from mkls.features.kernel_stems import stem_of_kernels, stem_of_request
from mkls.features.rename_plan import Group, Plan, Refusal, Written, plan_of
from mkls.features.rename_registrations import registration_places
from mkls.features.subjects import KernelLookup
from mkls.index.kernel_uses import Use, is_certain, kernels_named, uses_of
from mkls.index.kernels_link import Kernel
from mkls.index.name_patterns import Hole
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri
from mkls.text.span import Span

_ROUNDS = 8


def lookup_plan(
    snapshot: Snapshot, cursor: tuple[Uri, int], subject: KernelLookup
) -> Plan | Refusal:
    """Return the plan for what the look-up under the cursor asks for."""
    stems = {stem_of_request(snapshot, request) for _, request in subject.asked}
    stem = stems.pop() if len(stems) == 1 else None
    if not stem:
        return Refusal("the kernel's name does not begin with a text that is written out here")
    names = {
        name
        for _, it in subject.asked
        for name in it.names.kernels(snapshot.host_names)
        if begins(name, stem)
    }
    if not names:
        return Refusal(f"no kernel's name begins with `{stem}`")
    return stem_plan(snapshot, cursor, stem, names)


def kernels_plan(
    snapshot: Snapshot, cursor: tuple[Uri, int], kernels: Iterable[Kernel]
) -> Plan | Refusal:
    """Return the plan for the names of registered kernels."""
    listed = list(kernels)
    stem = stem_of_kernels(snapshot, listed)
    if stem is None:
        return Refusal("these kernels' names have no beginning in common that could be renamed")
    names = {it.host_name for it in listed if begins(it.host_name, stem)}
    if not names:
        return Refusal(f"a look-up makes this name of `{stem}`, which is not a part of its own")
    return stem_plan(snapshot, cursor, stem, names)


def begins(name: str, stem: str) -> bool:
    """Whether `name` is `stem`, or `stem` and more after an underscore."""
    return name == stem or name.startswith(stem + "_")


def stem_plan(
    snapshot: Snapshot, cursor: tuple[Uri, int], stem: str, names: set[str]
) -> Plan | Refusal:
    """Return the plan that renames `stem` in `names` and in all that is tied to them."""
    known: set[str] = set()
    places: list[Written] = []
    doubts: list[str] = []
    for _ in range(_ROUNDS):
        if names == known:
            break
        known = set(names)
        uses = uses_of(snapshot, sorted(known))
        lookups = _lookup_places(snapshot, uses, stem)
        if isinstance(lookups, Refusal):
            return lookups
        registered = registration_places(snapshot, kernels_named(snapshot, sorted(known)), stem)
        if isinstance(registered, Refusal):
            return registered
        places = [*lookups, *registered.places]
        unclear = [use for use in uses if not is_certain(use[1])]
        doubts = [_doubt(use) for use in unclear or ([] if lookups else _untold(snapshot))]
        names = known | set(_asked_for(snapshot, uses, stem)) | registered.also
    doubt = doubts[0] if doubts else ""
    return plan_of(snapshot, cursor, stem, places, doubt, frozenset(known))


def _asked_for(snapshot: Snapshot, uses: Iterable[Use], stem: str) -> Iterator[str]:
    for _, request in uses:
        if is_certain(request):
            for name in request.names.kernels(snapshot.host_names):
                if begins(name, stem):
                    yield name


def _lookup_places(snapshot: Snapshot, uses: Iterable[Use], stem: str) -> list[Written] | Refusal:
    places: list[Written] = []
    for _, request in uses:
        if not is_certain(request):
            if request.names.is_known:
                return Refusal(f"look-up of `{request.names.text}` cannot be split at `{stem}`")
            continue
        own = stem_of_request(snapshot, request)
        if own is None or not begins(own, stem):
            asked = request.names.text.split(" or ")[0]
            return Refusal(f"look-up of `{asked}` is not made of a text that begins with `{stem}`")
        start = request.place.span.start
        places.append(Written(request.place.uri, Span(start, start + len(stem)), Group.LOOKUP))
    return places


def _untold(snapshot: Snapshot) -> Iterator[Use]:
    """Yield the look-ups whose names are not known at all: they may mean any kernel."""
    for linked in snapshot.host.lookups:
        for request in linked.requests:
            if (Hole.ANY,) in request.names.patterns:
                yield linked, request


def _doubt(use: Use) -> str:
    linked, request = use
    file = linked.function.uri.rpartition("/")[2]
    return f"`{file}` also looks kernels up as `{request.names.text}`, which mkls cannot follow"
