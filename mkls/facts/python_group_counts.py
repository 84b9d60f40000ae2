"""Recognise how Python code counts threadgroups: a size divided by the size of a group."""

import ast

_DIVISIONS = ("cdiv", "ceil_div", "ceildiv", "div_up")


def divides(node: ast.expr, group: ast.expr) -> bool:
    """Whether `node` is something divided by `group`, as the number of groups is."""
    if isinstance(node, ast.UnaryOp):
        return divides(node.operand, group)
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in _DIVISIONS and len(node.args) == 2:
            return _same(node.args[1], group)
        is_rounded = name in ("ceil", "int") and len(node.args) == 1
        return is_rounded and divides(node.args[0], group)
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.FloorDiv | ast.Div):
        return False
    return _same(node.right, group)


def _same(left: ast.expr, right: ast.expr) -> bool:
    is_one = isinstance(right, ast.Constant) and right.value == 1
    return not is_one and ast.dump(left) == ast.dump(right)
