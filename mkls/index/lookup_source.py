"""What folding a lookup asks of the workspace, and the record of what it was told."""

from typing import Protocol

from mkls.facts.model.name_expression import NameExpression
from mkls.index.host_documents import CallSite, HostFunction
from mkls.text.document import Uri

Sites = tuple[CallSite, ...]
Results = tuple[tuple[HostFunction, NameExpression], ...]
Formulas = tuple[tuple[HostFunction | None, NameExpression], ...]


class LookupSource(Protocol):
    """The workspace, as far as the names of kernels depend on it.

    Answers compare equal for as long as nothing that matters to them changed.
    """

    def callers(self, function: HostFunction) -> Sites:
        """Return the calls that hand a string to `function`."""
        ...

    def results(self, uri: Uri, name: str) -> Results:
        """Return what the functions, or the constant, that `name` means in `uri` evaluate to."""
        ...

    def formulas(self, name: str) -> Formulas:
        """Return what the library's `exec_*` of that name asks for, and its methods that do.

        There is no method when the workspace does not hold the library's source.
        """
        ...


class Asked:
    """Asks a source, and remembers the questions with their answers."""

    def __init__(self, source: LookupSource) -> None:
        """Ask `source`."""
        self._source = source
        self._callers: dict[int, tuple[HostFunction, Sites]] = {}
        self._results: dict[tuple[Uri, str], Results] = {}
        self._formulas: dict[str, Formulas] = {}

    def callers(self, function: HostFunction) -> Sites:
        """Return the calls that hand a string to `function`."""
        known = self._callers.get(id(function))
        if known is None:
            known = self._callers[id(function)] = (function, self._source.callers(function))
        return known[1]

    def results(self, uri: Uri, name: str) -> Results:
        """Return what `name` means in `uri`."""
        key = (uri, name)
        if key not in self._results:
            self._results[key] = self._source.results(uri, name)
        return self._results[key]

    def formulas(self, name: str) -> Formulas:
        """Return what the library's `exec_*` of that name asks for."""
        if name not in self._formulas:
            self._formulas[name] = self._source.formulas(name)
        return self._formulas[name]

    def holds_for(self, source: LookupSource) -> bool:
        """Whether `source` still gives the same answers."""
        return (
            all(source.callers(it) == sites for it, sites in self._callers.values())
            and all(source.results(*key) == it for key, it in self._results.items())
            and all(source.formulas(key) == it for key, it in self._formulas.items())
        )
