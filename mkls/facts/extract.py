"""Read the facts of any document."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from mkls.facts.cpp import cpp_facts
from mkls.facts.derivatives import derivatives_facts
from mkls.facts.host import host_facts
from mkls.facts.metal import metal_facts
from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.derivatives import DerivativesFacts
from mkls.facts.model.host import HostFacts
from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.facts.model.python import PythonFacts
from mkls.facts.model.torchgen import TorchgenFacts
from mkls.facts.native_functions import native_functions_facts
from mkls.facts.python import python_facts
from mkls.facts.torchgen import torchgen_facts
from mkls.text.document import Document, Language
from mkls.text.line_ends import with_newlines

Facts = (
    CppFacts
    | DerivativesFacts
    | HostFacts
    | MetalFacts
    | NativeFunctionsFacts
    | PythonFacts
    | TorchgenFacts
)


class _Reader(NamedTuple):
    kind: type[Facts]
    read: Callable[[str], Facts]


_READERS: Mapping[Language, _Reader] = {
    Language.NATIVE_FUNCTIONS: _Reader(NativeFunctionsFacts, native_functions_facts),
    Language.METAL: _Reader(MetalFacts, metal_facts),
    Language.HOST: _Reader(HostFacts, host_facts),
    Language.CPP: _Reader(CppFacts, cpp_facts),
    Language.TORCHGEN: _Reader(TorchgenFacts, torchgen_facts),
    Language.DERIVATIVES: _Reader(DerivativesFacts, derivatives_facts),
    Language.PYTHON: _Reader(PythonFacts, python_facts),
}


def facts_of(document: Document) -> Facts:
    """Return what `document` states. Never fails: broken text states less."""
    return _READERS[document.language].read(with_newlines(document.text))


def facts_type(language: Language) -> type[Facts]:
    """Return the kind of facts that documents in `language` state."""
    return _READERS[language].kind
