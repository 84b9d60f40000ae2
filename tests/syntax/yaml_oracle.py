"""What PyYAML's C loader, torchgen's, makes of a text, in the form of our own nodes."""

import yaml
from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from mkls.syntax.native_functions.nodes import Mapping, Scalar, Sequence

assert yaml.__with_libyaml__, "the oracle is libyaml: install a PyYAML wheel"
TAGS = {
    "tag:yaml.org,2002:str": "str",
    "tag:yaml.org,2002:bool": "bool",
    "tag:yaml.org,2002:null": "null",
}


def composed(text):
    """The root node of `text`; raises `yaml.YAMLError`."""
    return yaml.compose(text, Loader=yaml.CSafeLoader)


def theirs(node):
    """A node as plain data: values, types and places."""
    if isinstance(node, ScalarNode):
        kind = TAGS.get(node.tag, "number")
        if kind == "null" and not node.value:
            return None
        return (kind, node.value, node.start_mark.index, node.end_mark.index)
    if isinstance(node, SequenceNode):
        return [node.start_mark.index, *map(theirs, node.value)]
    assert isinstance(node, MappingNode)
    return [(theirs(key), theirs(value)) for key, value in node.value]


def ours(value, start):
    """One of our values in the same form; `start` is where its entry starts."""
    if value is None or (isinstance(value, Scalar) and value.plain and not value.text):
        return None
    if isinstance(value, Scalar):
        return (value.kind, value.text, value.span.start + start, value.span.end + start)
    if isinstance(value, Sequence):
        return [value.span.start + start, *(ours(it, start) for it in value.items)]
    assert isinstance(value, Mapping)
    return pairs(value.pairs, start)


def pairs(read, start):
    """Our pairs in the same form."""
    return [(ours(it.key, start), ours(it.value, start)) for it in read]
