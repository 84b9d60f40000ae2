"""tree-sitter-metal: its cases, real kernels, broken ones, and its queries."""

import random
import re
from importlib.metadata import distribution
from pathlib import Path

import pytest
from tree_sitter import Parser, Query

from tests.grammars.parser import FOLDER, errors, language

_CASE = re.compile(
    r"^={3,}\n(?P<title>[^\n]+)\n={3,}\n\n(?P<source>.*?)\n\n---\n\n(?P<tree>.*?)\n*(?=^={3,}\n|\Z)",
    re.MULTILINE | re.DOTALL,
)


def cases():
    for path in sorted((FOLDER / "test/corpus").glob("*.txt")):
        for match in _CASE.finditer(path.read_text(encoding="utf-8")):
            yield pytest.param(match["source"], match["tree"], id=f"{path.stem}: {match['title']}")


CASES = list(cases())


@pytest.fixture(scope="session")
def metal(tmp_path_factory):
    return language(tmp_path_factory.mktemp("parser"))


@pytest.fixture(scope="session")
def parser(metal):
    return Parser(metal)


def flat(tree: str) -> str:
    """A tree on one line, without the names of fields."""
    return re.sub(r"\s+", " ", re.sub(r"\w+: (?=\()", "", tree)).strip()


def test_there_are_enough_cases():
    assert len(CASES) >= 150


@pytest.mark.parametrize(("source", "tree"), CASES)
def test_case(parser, source, tree):
    assert flat(str(parser.parse(f"{source}\n".encode()).root_node)) == flat(tree)
    assert "ERROR" not in tree


def test_real_kernels_and_headers_have_no_error(parser, pytorch_tree):
    headers = Path(str(distribution("torch").locate_file("torch/include/c10/metal"))).glob("*.h")
    files = [*pytorch_tree.rglob("*.metal"), *headers]

    wrong = {path.name: len(errors(parser, path.read_bytes())) for path in files}

    assert len(files) >= 25
    assert {name: count for name, count in wrong.items() if count} == {}


@pytest.mark.parametrize("seed", range(20))
def test_damaged_kernels_are_read_to_the_end(parser, pytorch_tree, seed):
    chance = random.Random(seed)
    path = chance.choice(sorted(pytorch_tree.rglob("*.metal")))
    text = bytearray(path.read_bytes())
    for _ in range(40):
        start = chance.randrange(len(text))
        text[start : start + chance.randrange(8)] = bytes(chance.randrange(256) for _ in range(3))

    root = parser.parse(bytes(text)).root_node

    assert root.end_byte == len(text)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("queries/*.scm")), ids=lambda it: it.name)
def test_queries_fit_the_grammar(metal, path):
    assert Query(metal, path.read_text(encoding="utf-8")).pattern_count > 0


@pytest.mark.parametrize("name", ["folds", "highlights", "injections", "locals"])
def test_neovim_has_the_same_queries(name):
    ours = FOLDER / f"queries/{name}.scm"
    theirs = FOLDER.parents[1] / f"editors/nvim/queries/metal/{name}.scm"

    assert theirs.read_text(encoding="utf-8") == ours.read_text(encoding="utf-8")
