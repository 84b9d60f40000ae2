"""What the words of `native_functions.yaml` mean (PyTorch's `aten/src/ATen/native/README.md`)."""

from collections.abc import Mapping

ENTRY_KEYS: Mapping[str, str] = {
    "func": "The function schema. The name before `(` is the row's identity: `name.overload`. "
    "A trailing `_` marks the in-place variant, a keyword-only `Tensor(a!)` the out variant.",
    "variants": "Whether the operator is a `function` of the `torch` namespace, a `method` of "
    "`Tensor`, or both. It has no effect on which kernel runs.",
    "dispatch": "Which C++ function runs for which dispatch keys: `CPU, CUDA, MPS: add_out`. "
    "Without it the row is CompositeImplicitAutograd.",
    "structured": "The row is the out variant of a structured group: shapes are computed by a "
    "meta function, and the body is a `TORCH_IMPL_FUNC`.",
    "structured_delegate": "The kernel of this row is generated from that of the structured out "
    "row it names. `CPU`, `CUDA`, `MPS`, `XPU` and `MTIA` may not stand in its `dispatch`.",
    "structured_inherits": "The base class of the generated meta class. With "
    "`TensorIteratorBase`, `*this` is the iterator inside the kernel.",
    "precomputed": "Values that the meta function computes and hands to the kernel.",
    "autogen": "Variants that torchgen makes. They call this row, so they need no MPS line.",
    "ufunc_inner_loop": "torchgen makes the CPU and CUDA kernels from a scalar function; other "
    "backends still need lines of their own.",
    "python_module": "The Python namespace of the operator, such as `nn` or `linalg`.",
    "tags": "Properties of the operator, from `tags.yaml`.",
    "device_check": "`NoCheck` leaves out the test that all tensors are on one device.",
    "device_guard": "`False` leaves out switching to the tensors' device.",
    "manual_cpp_binding": "The C++ function is written by hand.",
    "manual_kernel_registration": "Kernels are registered by hand, not by torchgen.",
    "cpp_no_default_args": "Arguments that have no default in C++.",
    "category_override": "Overrides the category of the generated bindings.",
    "use_const_ref_for_mutable_tensors": "Mutable tensors are passed as `const Tensor&`.",
}

DISPATCH_KEYS: Mapping[str, str] = {
    "CPU": "Dense tensors in main memory.",
    "CUDA": "Dense tensors on an NVIDIA or, through HIP, an AMD GPU.",
    "MPS": "Dense tensors on Apple's GPU, by Metal kernels or MPSGraph.",
    "XPU": "Dense tensors on an Intel GPU.",
    "MTIA": "Dense tensors on Meta's accelerator.",
    "Meta": "Tensors without data: shapes and dtypes only.",
    "MkldnnCPU": "Tensors in oneDNN's layout.",
    "SparseCPU": "Sparse COO tensors in main memory.",
    "SparseCUDA": "Sparse COO tensors on a GPU.",
    "SparseMPS": "Sparse COO tensors on Apple's GPU (since PyTorch 2.8).",
    "SparseCsrCPU": "Sparse compressed tensors in main memory.",
    "SparseCsrCUDA": "Sparse compressed tensors on a GPU.",
    "SparseCsrMPS": "Sparse compressed tensors on Apple's GPU.",
    "QuantizedCPU": "Quantized tensors in main memory.",
    "QuantizedCUDA": "Quantized tensors on a GPU.",
    "NestedTensorCPU": "Nested tensors in main memory.",
    "NestedTensorCUDA": "Nested tensors on a GPU.",
    "NestedTensorMPS": "Nested tensors on Apple's GPU; torchgen takes no kernels for it.",
    "ZeroTensor": "Tensors that are known to be zero.",
    "CompositeImplicitAutograd": "Built from other operators, which bring their own gradients: "
    "runs on every backend without a kernel of its own.",
    "CompositeExplicitAutograd": "One kernel for every backend; its gradient is given in "
    "`derivatives.yaml`.",
    "CompositeExplicitAutogradNonFunctional": "As CompositeExplicitAutograd, but it calls views "
    "or in-place operators: not for functorch or XLA.",
    "CompositeImplicitAutogradNestedTensor": "As CompositeImplicitAutograd, for nested tensors.",
}
