"""What a new elementwise operator of PyTorch consists of: texts with holes."""

from typing import Final

HEADER: Final = """\
#pragma once

#include <ATen/native/DispatchStub.h>

namespace at {{
struct TensorIteratorBase;
}}

namespace at::native {{

DECLARE_DISPATCH(void (*)(TensorIteratorBase&), {name}_stub)

}} // namespace at::native
"""
SOURCE: Final = """\
#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/{stem}.h>

#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/{name}_native.h>
#endif

namespace at::meta {{

TORCH_META_FUNC({name})({inputs}) {{
{meta}}}

}} // namespace at::meta

namespace at::native {{

DEFINE_DISPATCH({name}_stub);

TORCH_IMPL_FUNC({name}_out)({inputs}, const Tensor& result) {{
  {name}_stub(device_type(), *this);
}}

}} // namespace at::native
"""
META: Final = {
    "unary": "  build_borrowing_unary_op(maybe_get_output(), self);\n",
    "binary": "  build_borrowing_binary_op(maybe_get_output(), self, other);\n",
    "ternary": """\
  build(TensorIteratorConfig()
            .add_output(maybe_get_output())
            .add_const_input(self)
            .add_const_input(other)
            .add_const_input(third)
            .promote_inputs_to_common_dtype(true)
            .cast_common_dtype_to_outputs(true)
            .enforce_safe_casting_to_output(true));
""",
}
ROWS: Final = """\
- func: {name}({inputs}) -> Tensor
  device_check: NoCheck   # TensorIterator
  structured_delegate: {name}.out
  variants: function
  tags: pointwise

- func: {name}.out({inputs}, *, Tensor(a!) out) -> Tensor(a!)
  device_check: NoCheck   # TensorIterator
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    MPS: {name}_out
  tags: pointwise
"""
TEST: Final = """\
# Owner(s): ["module: mps"]

import torch
from torch.testing._internal.common_utils import run_tests, TestCase


class Test{stem}(TestCase):
    def test_{name}(self):
        {operands} = ({values})
        expected = {expression}  # TODO: say what `{name}` computes
        self.assertEqual(torch.{name}({operands}), expected)


if __name__ == "__main__":
    run_tests()
"""
