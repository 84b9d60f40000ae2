"""Run as a program: which of the YAML texts on stdin torchgen takes, as JSON: null or its error."""

import json
import sys

import yaml
from torchgen.gen import LineLoader, parse_native_yaml_struct

TAGS = {"core", "pointwise", "nondeterministic_seeded"}


def answer(text):
    try:
        entries = yaml.load(text, Loader=LineLoader)
        parse_native_yaml_struct(entries, TAGS, skip_native_fns_gen=True)
    except Exception as error:  # torchgen raises whatever comes
        return f"{type(error).__name__}: {error}"
    return None


json.dump([answer(text) for text in json.load(sys.stdin)], sys.stdout)
