"""One operator through all three languages."""

import re

RIPPLE = """\
//- aten/src/ATen/native/native_functions.yaml
- func: ripple(Tensor self) -> Tensor
  structured_delegate: ripple.out

- func: ripple.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU, CUDA, MPS: ripple_out

- func: ripple.Scalar(Tensor self, Scalar by) -> Tensor

- func: ripple_.Scalar(Tensor(a!) self, Scalar by) -> Tensor(a!)
  dispatch:
    CPU, CUDA: ripple_

- func: wave(Tensor self) -> Tensor
  dispatch:
    MPS: wave_mps

//- aten/src/ATen/native/Ripple.cpp
DEFINE_DISPATCH(ripple_stub);
TORCH_IMPL_FUNC(ripple_out)(const Tensor& self, const Tensor& out) {
  ripple_stub(device_type(), *this);
}

//- aten/src/ATen/native/Ripple.h
DECLARE_DISPATCH(structured_unary_fn, ripple_stub)

//- aten/src/ATen/native/mps/operations/Ripple.mm
static void ripple_mps_kernel(TensorIteratorBase& iter) {
  auto pso = lib.getPipelineStateForFunc("ripple_" + scalarToMetalTypeString(iter.input()));
}
REGISTER_DISPATCH(ripple_stub, &ripple_mps_kernel)
Tensor wave_mps(const Tensor& self) {
  return self;
}

//- aten/src/ATen/native/mps/kernels/Ripple.metal
struct ripple_functor {
  template <typename T> inline T operator()(T a) { return a; }
};

template <typename T, typename F>
kernel void unary(device T* out [[buffer(0)]], constant T* in [[buffer(1)]],
                  uint index [[thread_position_in_grid]]) { out[index] = in[index]; }

#define REGISTER(NAME, T) \\
  template [[host_name(#NAME "_" #T)]] kernel void unary<T, NAME##_functor>( \\
      device T* out [[buffer(0)]], constant T* in [[buffer(1)]], \\
      uint index [[thread_position_in_grid]]); \\
  template [[host_name(#NAME "_again_" #T)]] kernel void unary<T, NAME##_functor>( \\
      device T* out [[buffer(0)]], constant T* in [[buffer(1)]], \\
      uint index [[thread_position_in_grid]])

REGISTER(ripple, float);
REGISTER(ripple, half); // mkls: ignore[duplicate-host-name]
"""


def with_cursor(before: str, after: str) -> str:
    """Return the workspace with the cursor between two texts that follow each other."""
    assert RIPPLE.count(before + after) == 1
    return RIPPLE.replace(before + after, f"{before}$0{after}")


def with_first(name: str) -> str:
    """Return the workspace with the file called `name` as its first."""
    files = [it for it in re.split(r"(?m)^(?=//- )", RIPPLE) if it]
    first = next(it for it in files if it.partition("\n")[0].endswith(name))
    return "".join((first, *(it for it in files if it is not first)))
