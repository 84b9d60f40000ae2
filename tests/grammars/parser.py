"""tree-sitter-metal, built from the committed parser and loaded."""

import ctypes
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from tree_sitter import Language, Node, Parser

FOLDER = Path(__file__).parents[2] / "grammars/tree-sitter-metal"


@cache
def language(folder: Path) -> Language:
    """Build the parser below `folder`, with the compiler that also builds kernels, and load it."""
    library = folder / "metal.so"
    sources = (FOLDER / "src/parser.c", FOLDER / "src/scanner.c")
    compiler = [sys.executable, "-m", "ziglang", "cc"]
    options = ["-O1", "-shared", "-fPIC", "-w", f"-I{FOLDER / 'src'}"]
    subprocess.run([*compiler, *options, *map(str, sources), "-o", str(library)], check=True)
    entry: Any = ctypes.cdll.LoadLibrary(str(library)).tree_sitter_metal
    entry.restype = ctypes.c_void_p
    capsule: Any = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = (
        ctypes.py_object,
        (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p),
    )
    return Language(capsule(entry(), b"tree_sitter.Language", None))


def errors(parser: Parser, text: bytes) -> list[Node]:
    """Return the outermost nodes that are wrong or missing."""
    found: list[Node] = []
    waiting = [parser.parse(text).root_node]
    while waiting:
        node = waiting.pop()
        if node.type == "ERROR" or node.is_missing:
            found.append(node)
        elif node.has_error:
            waiting.extend(node.children)
    return found
