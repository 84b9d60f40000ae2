"""The host functions and macros that deal with kernels, as of PyTorch 2.13.

The signatures are those of a checkout's headers where it has them (see `host_declarations`).
"""

from mkls.features.reference.entry import Word, WordKind, words

LIBRARY: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "ATen/native/mps/MetalShaderLibrary.h",
    """
MTLComputePipelineState_t getPipelineStateForFunc(const std::string &fname) | Looks up the kernel of
 that host name and returns its pipeline. Fails at run time when the library has none: “Failed to
 create function state object”. With a second argument, the `{0}` holes of the source are filled.
MTLFunction_t getMTLFunction(const std::string &fname) | Looks up the kernel's function.
std::shared_ptr<MetalKernelFunction> getKernelFunction(const std::string &name) | Looks up a kernel
 as an object that can be run by itself.
MetalKernelFunction *getCachedKernelFunctionPtr(const std::string &name) | As `getKernelFunction`;
 the library keeps the object.
MetalShaderLibrary &getBundledLibrary() | The library of all `kernels/*.metal`, compiled with
 PyTorch.
bool hasFunction(const std::string &fname) | Whether the library has a kernel of that host name.
std::vector<std::string> getFunctionNames() | The host names of all kernels of the library.
void exec_unary_kernel(TensorIteratorBase &iter, const std::string &name,
 const std::optional<Scalar> alpha = std::nullopt,
 const std::optional<ScalarType> scalar_arg_type = std::nullopt) | Runs the kernels that
 `REGISTER_UNARY_OP(name, …)` made: dense or strided, output before input in the name. Where the
 pair of dtypes is not registered, the castout kernel of the input's dtype runs.
void exec_unary_kernel_raw(const std::string &name, MTLBuffer_t src_buf, uint32_t src_offs_bytes,
 ScalarType src_dtype, MTLBuffer_t dst_buf, uint32_t dst_offs_bytes, ScalarType dst_dtype,
 uint32_t numel) | Runs a castout kernel on buffers, without an iterator.
void exec_unary_kernel_with_params(TensorIteratorBase &iter, const std::string &name, T params,
 const std::string &params_type_name) | Runs kernels whose functor takes a struct of parameters;
 its type's name ends the host name.
void exec_binary_kernel(TensorIteratorBase &iter, const std::string &name,
 const std::optional<Scalar> alpha = std::nullopt,
 const std::optional<ScalarType> scalar_arg_type = std::nullopt) | Runs the kernels that
 `REGISTER_BINARY_OP(name, …)` made: dense, strided, broadcast or with casts.
void exec_binary_kernel_with_params(TensorIteratorBase &iter, const std::string &name, T params,
 const std::string &params_type_name) | As exec_binary_kernel, with a struct of parameters.
void exec_ternary_kernel(TensorIteratorBase &iter, const std::string &name) | Runs the kernels that
 `REGISTER_TERNARY_OP(name, …)` made.
""",
)

UTILITIES: tuple[Word, ...] = words(
    WordKind.FUNCTION,
    "ATen/native/mps/OperationUtils.h",
    """
void mtl_setArgs<idx>(id<MTLComputeCommandEncoder> encoder, const T &val, Args &&...args) | Binds
 the arguments under the numbers idx, idx + 1 and so on: tensors as buffers with their storage
 offset, anything else as bytes, a double as float. What is bound as bytes is read-only there.
void mtl_setBuffer(id<MTLComputeCommandEncoder> encoder, const TensorBase &t, unsigned idx) | Binds
 the tensor's buffer under number idx, with its storage offset.
void mtl_setBytes(id<MTLComputeCommandEncoder> encoder, const T &val, unsigned idx) | Binds the
 bytes of a value under number idx: the kernel's parameter must be `constant`.
void bind_iter_tensors(id<MTLComputeCommandEncoder> encoder, TensorIteratorBase &iter,
 std::optional<size_t> ntensors = std::nullopt) | Binds the tensors of an iterator from number 0 on,
 right also for the parts that `with_32bit_indexing` makes.
void mtl_dispatch1DJob(id<MTLComputeCommandEncoder> encoder, id<MTLComputePipelineState> cplState,
 NSUInteger length) | Starts `length` threads. The size of threadgroups depends on the length: the
 threads may not work together.
void mtl_dispatch2DJob(id<MTLComputeCommandEncoder> encoder, id<MTLComputePipelineState> cplState,
 NSUInteger inner_len, NSUInteger outer_len) | Starts a grid of inner_len by outer_len threads.
std::string scalarToMetalTypeString(const ScalarType &scalar_type) | The Metal name of a dtype:
 `float`, `half`, `bfloat`, `long`, `float2` for complex. Fails for double.
bool offsetsFitIn<Offset>(const Tensors &...tensors) | Whether every element's offset fits.
std::string_view mtlIdxSuffix(bool use32) | `_u32` or `_u64`: the ending of kernels by index width.
MPSStream *getCurrentMPSStream() | The stream on which this thread's work runs.
void dispatch_sync_with_rethrow(dispatch_queue_t queue, void (^block)()) | Runs a block on the
 stream's queue and lets C++ exceptions through, which `dispatch_sync` loses.
id<MTLBuffer> getMTLBufferStorage(const TensorBase &tensor) | The buffer that holds a tensor; its
 first element is `storage_offset` further on.
T *LookUpOrCreateCachedGraph(const std::string &key, std::function<void(MPSGraph *, T *)>
 instantiate) | The MPSGraph under a key, made at first. The key must hold all that the graph
 depends on.
void runMPSGraph(MPSStream *mpsStream, MPSGraph *mpsGraph, NSDictionary *feeds, Placeholder
 &result) | Runs a graph.
MPSDataType getMPSDataType(const TensorBase &t) | The MPSGraph type of a dtype.
std::string getTensorsStringKey(const TensorList &tensors) | Shapes and dtypes as part of a key.
""",
)

MACROS: tuple[Word, ...] = words(
    WordKind.MACRO,
    "ATen/native/DispatchStub.h",
    """
REGISTER_DISPATCH(name, fn) | Registers `fn` for stub `name`: in an Objective-C++ file for MPS, in
 a C++ file for the CPU. The types of both must be equal.
REGISTER_MPS_DISPATCH(name, fn) | Registers `fn` for stub `name` for MPS, in any file.
REGISTER_NO_CPU_DISPATCH(name) | Says that stub `name` has no CPU function.
DECLARE_DISPATCH(fn_type, name) | Declares stub `name`, which calls functions of type `fn_type`.
DEFINE_DISPATCH(name) | Defines stub `name`, once.
# ATen/TensorMeta.h
TORCH_IMPL_FUNC(name) | The body of the structured kernel that a row of `native_functions.yaml`
 names; parameters follow in parentheses.
TORCH_META_FUNC(name) | The function that computes the shapes of a structured operator.
# torch/library.h
TORCH_LIBRARY_IMPL(ns, key, m) | A block that registers functions for operators of namespace `ns`
 under a dispatch key, by `m.impl("name.overload", function)`.
TORCH_LIBRARY(ns, m) | A block that defines operators of namespace `ns`.
TORCH_LIBRARY_FRAGMENT(ns, m) | A block that adds operators to namespace `ns`.
""",
)
