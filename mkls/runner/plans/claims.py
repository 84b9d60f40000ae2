"""Check what `mkls-expect` and `--expect` claim about a kernel's outputs (worker side)."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from mkls.runner.comparison import Verdict, compare
from mkls.runner.evaluation import evaluate_node
from mkls.runner.expressions import Expectation, conjuncts, parse_expectation
from mkls.runner.references import Expected
from mkls.runner.report import Mismatch
from mkls.runner.tensors import broadcast


@dataclass(frozen=True)
class Names:
    """What a claim may name: inputs as they were before the run, outputs as they are now."""

    values: Mapping[str, Any]
    written: frozenset[str]

    @classmethod
    def of(cls, after: Mapping[str, Any], before: Mapping[str, Any], written: set[str]) -> "Names":
        """Pick each name's value from `after` when it is among `written`."""
        values = {name: after[name] if name in written else before[name] for name in after}
        return cls(values, frozenset(written))


def check_claim(text: str, names: Names) -> list[Verdict]:
    """Return a verdict for each part of `a and b`; `==` compares with tolerances.

    Raises:
        ExpressionError: It cannot be evaluated.
    """
    expectation = parse_expectation(text)
    return [_verdict(node, expectation, names) for node in conjuncts(expectation.expression.tree)]


def _verdict(node: ast.expr, expectation: Expectation, names: Names) -> Verdict:
    if not (isinstance(node, ast.Compare) and len(node.ops) == 1):
        return _holds(ast.unparse(node), evaluate_node(node, names.values))
    if not isinstance(node.ops[0], ast.Eq):
        return _holds(ast.unparse(node), evaluate_node(node, names.values))
    sides = [node.left, node.comparators[0]]
    # The side that names an output is what the kernel made, wherever it is written.
    if _mentions(sides[1], names.written) and not _mentions(sides[0], names.written):
        sides.reverse()
    got, wanted = (evaluate_node(it, names.values) for it in sides)
    return _equal(ast.unparse(sides[0]), got, wanted, expectation)


def _mentions(node: ast.expr, written: frozenset[str]) -> bool:
    return any(isinstance(it, ast.Name) and it.id in written for it in ast.walk(node))


def _equal(name: str, left: Any, right: Any, expectation: Expectation) -> Verdict:
    got, wanted = broadcast(torch.as_tensor(left), torch.as_tensor(right))
    if got.dtype.is_floating_point and wanted.dtype.is_floating_point:
        wanted = wanted.to(got.dtype)
    reference = Expected(wanted, None)
    return compare(name, got, reference, expectation.rtol, expectation.atol)


def _holds(claim: str, value: Any) -> Verdict:
    results = torch.as_tensor(value).bool()
    bad = int((~results).sum())
    if not bad:
        return Verdict(None, None, None)
    first = tuple(int(it) for it in (~results).nonzero()[0])
    return Verdict(None, None, Mismatch(claim, first, "true", "false", bad, results.numel()))
