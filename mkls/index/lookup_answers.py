"""What folding lookups asks of a workspace, answered from its host documents."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from mkls.facts.model.name import Name
from mkls.facts.model.name_expression import Literal, NameExpression
from mkls.index.host_documents import CallSite, HostDocument, HostFunction, Stated, merged
from mkls.index.lookup_formulas import FORMULAS
from mkls.index.lookup_source import Formulas, Results, Sites
from mkls.index.lookups import is_library_method
from mkls.index.name_substitution import accepts
from mkls.text.document import Uri
from mkls.text.span import Span

Functions = Callable[[str], tuple[HostFunction, ...]]
_NOWHERE = Span(0, 0)


class LookupAnswers:
    """A `LookupSource` over the documents that deal with Metal."""

    def __init__(
        self,
        documents: Sequence[HostDocument],
        by_uri: Mapping[Uri, HostDocument],
        functions: Functions,
    ) -> None:
        """Answer from `documents`; `functions` finds every function of a name."""
        self._documents = documents
        self._by_uri = by_uri
        self._functions = functions

    @cached_property
    def _sites(self) -> Mapping[str, tuple[CallSite, ...]]:
        return merged(document.calls for document in self._documents)

    def callers(self, function: HostFunction) -> Sites:
        """Return the calls that hand a string to `function`."""
        sites = self._sites.get(function.name.text, ())
        return tuple(site for site in sites if self._means(site, function))

    def _means(self, site: CallSite, function: HostFunction) -> bool:
        if function.function is None:
            return False
        if site.caller.uri != function.uri:
            own = function.name.text in self._by_uri[site.caller.uri].functions_by_name
            hidden = function.function.internal and not function.uri.endswith(".h")
            if own or hidden:
                return False
        return accepts(function.function, len(site.call.arguments))

    def results(self, uri: Uri, name: str) -> Results:
        """Return what the functions, or the constant, that `name` means in `uri` evaluate to."""
        document = self._by_uri[uri]
        functions = document.functions_by_name.get(name) or self._functions(name)
        found = results_of(functions)
        return found or tuple(self._constant(document, name))

    def _constant(
        self, document: HostDocument, name: str
    ) -> Iterator[tuple[HostFunction, NameExpression]]:
        for holder in (document, *(it for it in self._documents if it.uri.endswith(".h"))):
            if constant := holder.constants.get(name):
                stated = Stated(holder.uri, 0)
                yield HostFunction(stated, constant.name, None, ""), constant.value
                return
        if (text := _macro_text(document, name)) is not None:
            holder = HostFunction(Stated(document.uri, 0), Name(name, _NOWHERE), None, name)
            yield holder, Literal(text, _NOWHERE)

    def formulas(self, name: str) -> Formulas:
        """Return what `exec_*` function `name` of this workspace's library asks for.

        A workspace without the library's source has the formula of torch 2.13.
        """
        own = tuple(
            (method, lookup.name)
            for method in self._functions(name)
            if is_library_method(method) and method.function
            for lookup in method.function.lookups
            if not lookup.function.text.startswith("exec_")
        )
        return own or tuple((None, FORMULAS[it]) for it in (name,) if it in FORMULAS)


def results_of(functions: Sequence[HostFunction]) -> Results:
    """Return what those of `functions` that return a string return."""
    return tuple(
        (function, function.function.returns)
        for function in functions
        if function.function and function.function.returns
    )


def _macro_text(document: HostDocument, name: str) -> str | None:
    """Return the string that object-like macro `name` stands for."""
    macro = document.macros.get(name)
    if macro is None or macro.parameters is not None:
        return None
    text = macro.body.strip()
    plain = len(text) > 1 and text[0] == text[-1] == '"' and "\\" not in text
    return text[1:-1] if plain and '"' not in text[1:-1] else None
