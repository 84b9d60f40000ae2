"""The TextMate grammars: written from the server's own words, and well-formed."""

import json
import re

import pytest

from tests.grammars import vocabulary
from tests.grammars.textmate import grammars
from tests.write_grammars import texts


@pytest.mark.parametrize("path", list(texts()), ids=lambda it: it.name)
def test_the_files_are_what_the_script_writes(path):
    assert path.read_text(encoding="utf-8") == texts()[path], "run `python -m tests.write_grammars`"


def test_the_words_are_those_that_the_server_documents():
    text = json.dumps(grammars()["metal"])

    for name in (*vocabulary.attributes(), *vocabulary.library_functions(), *vocabulary.types()):
        assert re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text), name


@pytest.mark.parametrize("name", list(grammars()))
def test_each_include_has_its_target(name):
    grammar = grammars()[name]
    included = set(re.findall(r'"include": "([^"]+)"', json.dumps(grammar)))
    known = {f"#{it}" for it in grammar.get("repository", {})} | {"source.metal"}

    assert included <= known
