"""Run as a program: what the installed torch's dispatcher has for operators on stdin, as JSON.

For each operator, the kernel of each MPS key: the name of the generated file that registers it, or
`python` for one of torch's own Python registrations. The wheel for Linux has no MPS kernels, so
that it shows what an MPS tensor falls back to.
"""

import json
import re
import sys

import torch

ROW = re.compile(r"^(MPS|SparseMPS): .*?(?:Register(\w+?)(?:_\d+)?\.cpp|\.py):", re.MULTILINE)


def table(operator):
    dump = torch._C._dispatch_dump_table(f"aten::{operator}")
    return {key: kernel or "python" for key, kernel in ROW.findall(dump)}


json.dump({operator: table(operator) for operator in json.load(sys.stdin)}, sys.stdout)
