"""What the types, tags and values in a row mean (PyTorch's `native/README.md` and `tags.yaml`)."""

from collections.abc import Mapping

SCHEMA_TYPES: Mapping[str, str] = {
    "Tensor": "A tensor; `const Tensor&` in C++. With `(a!)` it is written to: `Tensor&`; with "
    "`(a)` the result may be a view of it. `Tensor?` may be absent, `Tensor[]` are several.",
    "Scalar": "A number of any dtype, held by the host: `const Scalar&`.",
    "int": "A 64-bit integer. `int[]` is an `IntArrayRef`, `int[2]` takes one number for both.",
    "SymInt": "An integer that may be symbolic while a graph is traced. A host function whose name "
    "ends in `_symint` gets `SymInt`, any other `int64_t`.",
    "float": "A double in C++. Metal has no double: it becomes a float when it is bound.",
    "bool": "True or false.",
    "str": "A string: `std::string_view` in C++.",
    "ScalarType": "A dtype.",
    "Layout": "Strided, sparse and so on.",
    "Device": "A device and its number.",
    "DeviceIndex": "The number of a device.",
    "MemoryFormat": "Contiguous, channels-last and so on.",
    "Generator": "A generator of random numbers.",
    "Dimname": "The name of a dimension.",
    "DimVector": "The sizes of a tensor, by value.",
    "QScheme": "How a tensor is quantized.",
    "Stream": "A stream of a device.",
    "Storage": "The memory of a tensor.",
    "ConstQuantizerPtr": "How a tensor is quantized, as a pointer.",
}

TAGS: Mapping[str, str] = {
    "core": "One of the operators to which others are reduced for export (Core ATen).",
    "pointwise": "Every element of the result depends on the elements in its place alone, after "
    "broadcasting.",
    "nondeterministic_seeded": "The result is random, and the same for the same seed.",
    "nondeterministic_bitwise": "Two runs may differ in the last bits.",
    "view_copy": "A view operator's variant that copies.",
    "inplace_view": "It changes a tensor's sizes or strides in place.",
    "dynamic_output_shape": "The shape of the result depends on the values of the inputs.",
    "data_dependent_output": "A result that is no tensor depends on the values of the inputs.",
    "maybe_aliasing_or_mutating": "The result may or may not share memory with an input.",
    "needs_fixed_stride_order": "Compiled code must hand tensors over in the order of strides that "
    "eager code has.",
    "needs_exact_strides": "Compiled code must hand tensors over with the strides of eager code.",
    "needs_contiguous_strides": "Compiled code must hand contiguous tensors over.",
    "flexible_layout": "Compiled code may hand tensors over in any layout.",
    "pt2_compliant_tag": "Works with torch.compile.",
    "generated": "torchgen made the operator; it is set by itself.",
    "cudagraph_unsafe": "It may not be part of a CUDA graph.",
    "reduction": "It reduces dimensions of its input.",
    "inplace": "The in-place variant of an operator.",
    "out": "The out variant of an operator.",
    "out_variant": "The out variant of an operator.",
}

VALUES: Mapping[str, Mapping[str, str]] = {
    "variants": {
        "function": "`torch.name(…)`.",
        "method": "`tensor.name(…)`.",
        "function, method": "Both.",
    },
    "structured": {"True": "The body is a `TORCH_IMPL_FUNC`; shapes come from the meta function."},
    "structured_inherits": {
        "TensorIteratorBase": "The meta function builds an iterator, `*this` in the kernel."
    },
    "device_check": {
        "NoCheck": "No test that all tensors are on one device: TensorIterator tests it.",
        "ExactSame": "All tensors must be on one device; the default.",
    },
    "device_guard": {"False": "Do not switch to the tensors' device.", "True": "The default."},
    "manual_cpp_binding": {"True": "The C++ function is written by hand."},
    "manual_kernel_registration": {"True": "Kernels are registered by hand."},
    "use_const_ref_for_mutable_tensors": {"True": "`const Tensor&` for tensors written to."},
    "python_module": {
        it: f"The operator is in `{where}`."
        for it, where in {
            "nn": "torch._C._nn, for torch.nn.functional",
            "linalg": "torch.linalg",
            "fft": "torch.fft",
            "special": "torch.special",
            "sparse": "torch.sparse",
            "nested": "torch.nested",
        }.items()
    },
}
"""The values that keys take, where they are few."""
