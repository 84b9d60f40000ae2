"""Read the facts of any document."""

from collections.abc import Callable, Mapping

from mkls.facts.cpp import cpp_facts
from mkls.facts.host import host_facts
from mkls.facts.metal import metal_facts
from mkls.facts.model.cpp import CppFacts
from mkls.facts.model.host import HostFacts
from mkls.facts.model.metal import MetalFacts
from mkls.facts.model.native_functions import NativeFunctionsFacts
from mkls.facts.model.torchgen import TorchgenFacts
from mkls.facts.native_functions import native_functions_facts
from mkls.facts.torchgen import torchgen_facts
from mkls.text.document import Document, Language

Facts = CppFacts | HostFacts | MetalFacts | NativeFunctionsFacts | TorchgenFacts

_READERS: Mapping[Language, Callable[[str], Facts]] = {
    Language.NATIVE_FUNCTIONS: native_functions_facts,
    Language.METAL: metal_facts,
    Language.HOST: host_facts,
    Language.CPP: cpp_facts,
    Language.TORCHGEN: torchgen_facts,
}


def facts_of(document: Document) -> Facts:
    """Return what `document` states. Never fails: broken text states less."""
    return _READERS[document.language](document.text)
