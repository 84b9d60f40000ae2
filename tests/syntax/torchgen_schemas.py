"""Run as a program: what torchgen makes of the schemas that come in on stdin, as JSON.

The input is a list of texts; the output has one item each: a structure, or the error's text.
Which torchgen answers is up to PYTHONPATH.
"""

import json
import sys

from torchgen.model import FunctionSchema
from torchgen.utils import NamespaceHelper


def structure(text):
    helper = NamespaceHelper.from_namespaced_entity(text, max_level=1)
    schema = FunctionSchema.parse(helper.entity_name)
    return {
        "namespace": helper.get_cpp_namespace(default=""),
        "name": str(schema.name),
        "base": schema.name.name.base,
        "dunder": schema.name.name.dunder_method,
        "inplace": schema.name.name.inplace,
        "overload": schema.name.overload_name,
        "positional": [argument(it) for it in schema.arguments.flat_positional],
        "keyword": [argument(it) for it in schema.arguments.flat_kwarg_only],
        "out": [argument(it) for it in schema.arguments.out],
        "returns": [argument(it) for it in schema.returns],
        "kind": schema.kind().name,
        "signature": str(schema.signature()),
    }


def argument(it):
    annotation = str(it.annotation) if it.annotation else None
    return [str(it.type), it.name, getattr(it, "default", None), annotation]


def answer(text):
    try:
        return structure(text)
    except Exception as error:  # torchgen raises whatever comes
        return f"{type(error).__name__}: {error}"


json.dump([answer(text) for text in json.load(sys.stdin)], sys.stdout)
