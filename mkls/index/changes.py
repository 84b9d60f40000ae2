"""What the user's changes make run on MPS that did not run before.

"Before" is the snapshot's baseline: the last commit. Without one, nothing has changed.
"""

import re
from collections.abc import Iterator, Mapping

import msgspec

from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.facts.model.python import OperatorList, OperatorListKey, PythonFacts
from mkls.index.kernels import KernelIndex, kernel_index
from mkls.index.kernels_link import Kernel
from mkls.index.operators import OperatorIndex, Row, operator_index
from mkls.index.resolution import has_native_kernel
from mkls.index.snapshot import Snapshot
from mkls.index.unwritten import is_unwritten
from mkls.text.document import Uri, lists_operators

_MODULES = ("fft", "linalg", "special")
_COMPLEX = re.compile(r"_(?:float2|half2)(?![^_])")
_FLAVOUR = re.compile(r"_(?:dense|strided|inner|castout|cast|scalar|broadcast)(?:_|\Z)")


class Supported(msgspec.Struct, frozen=True):
    """An operator that the user's changes make run on MPS, by a row that now has a kernel."""

    base: str
    row: Row


def newly_supported(snapshot: Snapshot) -> Mapping[str, Supported]:
    """Return the operators that run on MPS now and did not before, by base name."""
    return snapshot.once(_newly_supported)


def _newly_supported(snapshot: Snapshot) -> Mapping[str, Supported]:
    found: dict[str, Supported] = {}
    for uri, rows in snapshot.operators.rows_in.items():
        source = snapshot.baseline.get(uri)
        facts = source.facts if source else None
        if not isinstance(facts, NativeFunctionsFacts) or facts is snapshot.sources[uri].facts:
            continue
        before = operator_index({uri: facts})
        for row in _changed(rows, before):
            base = row.entry.base
            runs = has_native_kernel(snapshot.operators, row) and not _ran(before, base)
            if runs and not is_unwritten(snapshot, row):
                found.setdefault(base, Supported(base, row))
    return found


def _changed(rows: list[Row], before: OperatorIndex) -> Iterator[Row]:
    """Yield the rows that are new, or other than before."""
    for row in rows:
        known = before.row(row.name)
        # Entries of equal text are mostly one object.
        if known is None or (known.entry is not row.entry and known.entry != row.entry):
            yield row


def _ran(before: OperatorIndex, base: str) -> bool:
    """Whether any row of `base` had a kernel for MPS, of its own or a composite one."""
    rows = before.rows_of_base(base)
    return any(has_native_kernel(before, it) or it.entry.composite is not None for it in rows)


def newly_complex(snapshot: Snapshot) -> Mapping[str, Kernel]:
    """Return the operators for which there are complex kernels now and were none before.

    They are named by what their kernels' host names begin with, where rows have that name.
    """
    return snapshot.once(_newly_complex)


def _newly_complex(snapshot: Snapshot) -> Mapping[str, Kernel]:
    if not _metal_changed(snapshot):
        return {}
    known = {_operator_of(it) for it in _before(snapshot).by_host_name if _COMPLEX.search(it)}
    found: dict[str, Kernel] = {}
    for name, kernels in snapshot.kernels.by_host_name.items():
        operator = _operator_of(name) if _COMPLEX.search(name) else ""
        if operator and operator not in known and snapshot.operators.rows_of_base(operator):
            found.setdefault(operator, kernels[0])
    return found


def _metal_changed(snapshot: Snapshot) -> bool:
    now = snapshot.facts(MetalFacts)
    return any(uri in now and now[uri] is not it.facts for uri, it in snapshot.baseline.items())


def _before(snapshot: Snapshot) -> KernelIndex:
    documents = dict(snapshot.facts(MetalFacts))
    for uri in documents:
        source = snapshot.baseline.get(uri)
        if source and isinstance(source.facts, MetalFacts):
            documents[uri] = source.facts
    return kernel_index(documents, memo=snapshot.baseline_memo)


def _operator_of(host_name: str) -> str:
    """Return what `lerp_dense_float2_float2` begins with: `lerp`."""
    flavour = _FLAVOUR.search(host_name)
    complex_ = _COMPLEX.search(host_name)
    ends = [match.start() for match in (flavour, complex_) if match]
    return host_name[: min(ends)] if ends else host_name


class StaleKey(msgspec.Struct, frozen=True):
    """A key of a list of expected failures, whose test the user's changes should make pass."""

    key: OperatorListKey
    supported: Supported


def stale_keys(snapshot: Snapshot) -> Mapping[Uri, tuple[StaleKey, ...]]:
    """Return the stale keys of each file of tests."""
    return snapshot.once(_stale_keys)


def _stale_keys(snapshot: Snapshot) -> Mapping[Uri, tuple[StaleKey, ...]]:
    supported = newly_supported(snapshot)
    if not supported:
        return {}
    return {
        uri: tuple(
            StaleKey(key, supported[base])
            for it in facts.lists
            for key in it.keys
            if key.dtypes is None
            for base in _bases_tested(it.name.text, key.name.text)
            if base in supported
        )
        for uri, facts in _tests(snapshot).items()
    }


def _bases_tested(list_name: str, key: str) -> tuple[str, ...]:
    """Return the operators without which the test of `key` is expected to fail, if by the list."""
    if list_name == "UNIMPLEMENTED_XFAILLIST":
        return bases_of_key(key)
    if list_name == "XFAILLIST_GRAD":
        return tuple(f"{base}_backward" for base in bases_of_key(key))
    return ()


class UnlistedComplex(msgspec.Struct, frozen=True):
    """An operator with new complex kernels, and the list that should have it."""

    base: str
    kernel: Kernel
    operators: OperatorList


def unlisted_complex(snapshot: Snapshot) -> Mapping[Uri, tuple[UnlistedComplex, ...]]:
    """Return the operators with new complex kernels that no list of a file of tests has."""
    return snapshot.once(_unlisted_complex)


def _unlisted_complex(snapshot: Snapshot) -> Mapping[Uri, tuple[UnlistedComplex, ...]]:
    found: dict[Uri, tuple[UnlistedComplex, ...]] = {}
    for uri, facts in _tests(snapshot).items():
        lists = [it for it in facts.lists if it.name.text.endswith("SUPPORTED_COMPLEX_OPS")]
        complex_: Mapping[str, Kernel] = newly_complex(snapshot) if lists else {}
        listed = {
            base
            for it in (lists if complex_ else ())
            for key in it.keys
            for base in bases_of_key(key.name.text)
        }
        found[uri] = tuple(
            UnlistedComplex(base, kernel, lists[0])
            for base, kernel in complex_.items()
            if base not in listed
        )
    return found


def untested(snapshot: Snapshot) -> Iterator[Supported]:
    """Yield the operators that newly run on MPS while the files of tests are as before."""
    tests = _tests(snapshot)
    supported = newly_supported(snapshot)
    if not tests or any(_is_new(snapshot, uri, facts) for uri, facts in tests.items()):
        return
    stale = {it.supported.base for keys in stale_keys(snapshot).values() for it in keys}
    yield from (it for base, it in supported.items() if base not in stale)


def _tests(snapshot: Snapshot) -> Mapping[Uri, PythonFacts]:
    """Return the files that list operators: other Python files are not PyTorch's tests."""
    found = snapshot.facts(PythonFacts)
    return {uri: it for uri, it in found.items() if it.lists or lists_operators(uri)}


def _is_new(snapshot: Snapshot, uri: Uri, facts: PythonFacts) -> bool:
    source = snapshot.baseline.get(uri)
    return source is None or source.facts != facts


def bases_of_key(key: str) -> tuple[str, ...]:
    """Return the base names that an operator of the tests may have: `linalg.eig`, `linalg_eig`.

    The tests name operators as Python does; a variant's name follows without a separator, so that
    a key with a variant has no base name here.
    """
    plain = key.removeprefix("nn.functional.").replace(".", "_")
    return (plain, f"_{plain}")


def key_of_base(base: str) -> str:
    """Return how the tests name the operator `base`, variants aside."""
    for module in _MODULES:
        if base.startswith(f"{module}_"):
            return f"{module}.{base[len(module) + 1 :]}"
    return base
