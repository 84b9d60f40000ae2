"""torchgen is the oracle: every schema of PyTorch 2.6 and 2.13, and thousands of broken ones."""

import json
import random
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from mkls.syntax.native_functions.function_schema import read_function_schema
from mkls.syntax.native_functions.schema import ArgumentKind
from mkls.syntax.native_functions.signature import signature

PROGRAM = Path(__file__).with_name("torchgen_schemas.py")
YAML = "aten/src/ATen/native/native_functions.yaml"


def torchgen(texts, path=None):
    """What torchgen makes of `texts`: the installed one's, or that of the checkout at `path`."""
    environment = {"PYTHONPATH": str(path)} if path else {}
    run = subprocess.run(
        [sys.executable, str(PROGRAM)],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return json.loads(run.stdout)


def schemas(path):
    return re.findall(r"^- func: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)


def mine(text):
    """Our reading, in the oracle's form; None when we report a problem."""
    schema = read_function_schema(text)
    if schema.problems:
        return None
    name = schema.name
    base = name.base.strip("_") if name.is_dunder else name.base
    return {
        "namespace": name.namespace,
        "name": name.text,
        "base": base,
        "dunder": name.is_dunder,
        "inplace": name.is_inplace,
        "overload": name.overload,
        "positional": of_kind(schema, ArgumentKind.POSITIONAL),
        "keyword": of_kind(schema, ArgumentKind.KEYWORD_ONLY),
        "out": of_kind(schema, ArgumentKind.OUT),
        "returns": [declared(it) for it in schema.returns],
        "kind": schema.kind.name.lower(),
    }


def of_kind(schema, kind):
    return [declared(it) for it in schema.arguments if it.kind is kind]


def declared(it):
    declaration = it.declaration
    return [declaration.type_text, it.name, declaration.default, declaration.annotation]


def check_structures(texts, answers):
    for text, answer in zip(texts, answers, strict=True):
        assert isinstance(answer, dict), text
        del answer["signature"]
        assert mine(text) == answer


def test_every_schema_of_2_6_reads_as_its_torchgen_reads_it(pytorch_tree):
    texts = schemas(pytorch_tree / YAML)

    assert len(texts) == 2633
    check_structures(texts, torchgen(texts, pytorch_tree))


def test_every_schema_of_2_13_reads_as_its_torchgen_reads_it(native_functions_2_13):
    texts = schemas(native_functions_2_13)

    assert len(texts) == 2584
    check_structures(texts, torchgen(texts))


def test_torchgen_2_13_rejects_schemas_of_2_6_that_we_accept(pytorch_tree):
    texts = schemas(pytorch_tree / YAML)

    answers = zip(texts, torchgen(texts), strict=True)
    rejected = [text for text, answer in answers if isinstance(answer, str)]

    assert len(rejected) == 106
    assert [it for it in rejected if read_function_schema(it).problems] == []


@pytest.mark.parametrize("version", ["2.6", "2.13"])
def test_signatures_group_the_rows_that_torchgen_groups(
    version, pytorch_tree, native_functions_2_13
):
    path = pytorch_tree / YAML if version == "2.6" else native_functions_2_13
    texts = schemas(path)
    theirs, ours = defaultdict(set), defaultdict(set)
    for text, answer in zip(
        texts, torchgen(texts, pytorch_tree if version == "2.6" else None), strict=True
    ):
        theirs[answer["signature"]].add(text)
        ours[signature(read_function_schema(text))].add(text)

    assert sorted(map(sorted, ours.values())) == sorted(map(sorted, theirs.values()))


PIECES = [
    *(
        "(",
        ")",
        " -> ",
        ", ",
        ",",
        " ",
        "*",
        "*, ",
        "=",
        "?",
        "[]",
        "[2]",
        "[0]",
        "!",
        "a",
        ".",
        "_",
    ),
    *(
        "Tensor",
        "Tensor(a!)",
        "Tensor(a)",
        "Tensor(a -> *)",
        "Tensor(a|b)",
        "Tensor[]",
        "int",
        "str",
    ),
    *("self", " out", "=None", "=1", "()", "::", "_out", "_scratch_x", "functional", "__iadd__"),
    *(
        "Scalar",
        "(a!)",
        "(b!)",
        "ScalarType? dtype=None, ",
        "bool? pin_memory=None",
        "\t",
        "|",
        "é",
    ),
]
STRICTER = re.compile(
    r"a type and a name|between type and name|separated by a comma|a list's default"
    r"|expected `\(` after the name|expected an operator's name|an overload's name"
    r"|a return has no default|expected a value after"
)
"""Where torchgen's splitting at blanks and commas lets pass names that are not identifiers."""


def broken(text, chance):
    """`text` after one or two random edits."""
    for _ in range(chance.choice((1, 1, 2))):
        start = chance.randrange(len(text) + 1)
        end = start + chance.choice((0, 0, 1, 1, 2, 6))
        piece = chance.choice([*PIECES, ""])
        text = text[:start] + piece + text[end:]
    return text


def test_we_reject_what_torchgen_rejects(native_functions_2_13):
    chance = random.Random(2026)
    sound = schemas(native_functions_2_13)
    texts = [broken(chance.choice(sound), chance) for _ in range(4000)]
    missed, invented = [], []
    for text, answer in zip(texts, torchgen(texts), strict=True):
        problems = read_function_schema(text).problems
        if isinstance(answer, str) and not problems:
            missed.append((text, answer))
        stricter = not problems or any(STRICTER.search(it.message) for it in problems)
        if isinstance(answer, dict) and not stricter:
            invented.append((text, problems))

    assert missed == []
    assert invented == []
