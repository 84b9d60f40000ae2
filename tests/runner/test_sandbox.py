"""Expressions from a file must not be able to do anything but compute."""

import pytest
import torch

from mkls.runner.evaluation import evaluate
from mkls.runner.expression_names import FUNCTIONS, METHODS
from mkls.runner.expressions import ExpressionError, parse_expectation, parse_expression

ATTACKS = """
__import__('os').system('id')
().__class__.__bases__[0].__subclasses__()
x.__class__
x.__reduce__()
x.data.__init__
torch.load('model.pt')
torch.save(x, 'f')
torch.hub.load('a', 'b')
torch.ops.aten.add(x, x)
torch.utils.cpp_extension.load('x', 'y')
torch.serialization.load('x')
torch._C._jit
torch.from_file('x')
torch.frombuffer(x)
torch.compile(x)
torch.nn.functional.torch.load('x')
torch.special.torch.load('x')
x.apply_(print)
x.map_(x, print)
x.register_hook(print)
x.numpy().tofile('f')
x.share_memory_()
x.storage()
x.untyped_storage()
x.cuda()
x.to('mps')
x.to(device='mps')
x.cpu()
x.backward()
x.fill_(1)
x.set_(x)
x.resize_(10)
x.requires_grad_()
x.data
x.grad_fn
x.is_shared
eval('1')
exec('1')
compile('1', '', 'eval')
getattr(x, 'data')
globals()
open('/etc/passwd').read()
print(1)
input()
help()
breakpoint()
vars(x)
type(x)
dir(x)
range(10)
map(x, x)
str(x)
lambda: 0
(lambda: 0)()
[i for i in x]
{i for i in x}
{i: i for i in x}
(i for i in x)
f'{x.__class__}'
'a'.format(x)
'%s' % x
b'bytes'
(y := x)
x if x else x
*x, 1
zeros(*x)
zeros(**x)
await x
yield x
x in x
x is x
{1: 2}
{1, 2}
zeros(1, out=x)
zeros(1, device='meta')
zeros(1, requires_grad=True)
zeros(1, pin_memory=True)
randn(3, generator=x)
tensor('text')
einsum('ij->', __import__('os'))
einsum(x.__class__, x)
div(x, x, rounding_mode=open)
x.sum.__globals__
x[().__class__]
x[open]()
torch.zeros.__self__
zeros.__module__
torch
torch.nn
a\x00b
1; 2
import os
x = 1
del x
""".strip().splitlines()


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_is_refused(attack):
    with pytest.raises(ExpressionError):
        evaluate(parse_expression(attack), {"x": torch.ones(3)})


@pytest.mark.parametrize("attack", [it for it in ATTACKS if ";" not in it])
def test_an_attack_is_refused_as_a_claim(attack):
    with pytest.raises(ExpressionError):
        evaluate(parse_expectation(f"x == {attack} (rtol=1)").expression, {"x": torch.ones(3)})


@pytest.mark.parametrize(
    "text",
    [
        "10 ** 10 ** 10",
        "2 ** 100000",
        "1 << 1000000",
        "(1 << 200) * (1 << 200) * (1 << 200)",
        "[0] * 10 ** 9",
        "10 ** 9 * (0,)",
        "zeros(10 ** 15)",
        "(" * 500 + "1" + ")" * 500,
        "-" * 5000 + "1",
        "1 +" * 3000 + "1",
    ],
)
def test_a_bomb_is_refused_quickly(text):
    with pytest.raises(ExpressionError):
        evaluate(parse_expression(text), {})


def test_no_allowed_name_changes_its_arguments_or_reaches_outside():
    names = {*METHODS, *FUNCTIONS}

    assert not [name for name in names if name.rpartition(".")[2].endswith("_")]
    forbidden = {
        "load",
        "save",
        "from_file",
        "frombuffer",
        "compile",
        "numpy",
        "apply_",
        "cuda",
        "cpu",
    }
    assert not forbidden & {name.rpartition(".")[2] for name in names}


def test_every_allowed_function_exists_in_the_installed_torch():
    missing = []
    for path in set(FUNCTIONS.values()):
        found = torch
        for part in path.split("."):
            found = getattr(found, part, None)
        if not callable(found):
            missing.append(path)
    assert missing == []
