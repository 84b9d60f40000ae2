#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/TensorAdvancedIndexing.h>
#include <ATen/native/mps/OperationUtils.h>
#include <ATen/native/mps/kernels/Indexing.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/bincount_native.h>
#include <ATen/ops/gather_native.h>
#include <ATen/ops/index_copy_native.h>
#include <ATen/ops/masked_fill_native.h>
#endif

namespace at::native {

#ifndef PYTORCH_JIT_COMPILE_SHADERS
static auto& lib = mps::MetalShaderLibrary::getBundledLibrary();
#else
#include <ATen/native/mps/Indexing_metallib.h>
#endif

namespace mps {

// Kernels that only move elements are named after their size.
static std::string bit_size_string(size_t element_size) {
  switch (element_size) {
    case 1:
      return "8bit";
    case 2:
      return "16bit";
    case 4:
      return "32bit";
    case 8:
      return "64bit";
    default:
      TORCH_CHECK(false, "no kernel moves elements of ", element_size, " bytes");
  }
}

static IndexParams<> index_params(IntArrayRef sizes, IntArrayRef strides) {
  IndexParams<> params{};
  params.num_indices = static_cast<uint32_t>(sizes.size());
  for (const auto dim : c10::irange(sizes.size())) {
    params.sizes[dim] = sizes[dim];
    params.strides[dim] = strides[dim];
  }
  return params;
}

static std::vector<std::array<uint32_t, 3>> packed_strides(const TensorIteratorBase& iter) {
  std::vector<std::array<uint32_t, 3>> strides(iter.ndim());
  for (const auto dim : c10::irange(iter.ndim())) {
    strides[dim] = {static_cast<uint32_t>(iter.strides(0)[dim]),
                    static_cast<uint32_t>(iter.strides(1)[dim]),
                    static_cast<uint32_t>(iter.strides(2)[dim])};
  }
  return strides;
}

} // namespace mps

static void index_kernel_mps(TensorIteratorBase& iter, IntArrayRef index_size, IntArrayRef index_stride) {
  using namespace mps;
  if (iter.numel() == 0) {
    return;
  }
  const auto output = iter.output(0);
  const auto input = iter.input(0);
  const auto indices = iter.input(1);
  const auto use32 = offsetsFitIn<uint32_t>(output, input, indices);
  const auto kernel_name =
      fmt::format("index_select_{}{}", bit_size_string(output.element_size()), mtlIdxSuffix(use32));
  const auto params = index_params(index_size, index_stride);
  const std::array<uint32_t, 4> ndim_and_numel = {
      static_cast<uint32_t>(iter.ndim()), static_cast<uint32_t>(iter.numel()), 0, 0};
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc(kernel_name);
      [encoder setComputePipelineState:pipeline];
      bind_iter_tensors(encoder, iter, 3);
      mtl_setArgs<3>(
          encoder, iter.shape(), packed_strides(iter), params, ndim_and_numel, stream->getErrorBuffer());
      mtl_dispatch1DJob(encoder, pipeline, iter.numel());
    }
  });
}

static void index_put_kernel_mps(TensorIterator& iter,
                                 IntArrayRef index_size,
                                 IntArrayRef index_stride,
                                 bool accumulate) {
  using namespace mps;
  TORCH_CHECK_NOT_IMPLEMENTED(index_size.size() == 1, "index_put on MPS takes one index");
  TORCH_CHECK_NOT_IMPLEMENTED(
      !c10::isComplexType(iter.dtype(0)) && !c10::isBarebonesUnsignedType(iter.dtype(0)), "index_put of this dtype");
  const auto prefix = accumulate ? "index_put_accumulate_" : "index_put_";
  const auto kernel_name = prefix + scalarToMetalTypeString(iter.dtype(0));
  const int64_t size = index_size[0];
  const int64_t stride = index_stride[0] / static_cast<int64_t>(iter.element_size(0));
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc(kernel_name);
      [encoder setComputePipelineState:pipeline];
      bind_iter_tensors(encoder, iter);
      mtl_setArgs<3>(encoder, size, stride, stream->getErrorBuffer());
      mtl_dispatch1DJob(encoder, pipeline, iter.numel());
    }
  });
}

// `dim` is precomputed: wrapped, and no longer negative.
TORCH_IMPL_FUNC(index_copy_out_mps)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Tensor& result) {
  using namespace mps;
  if (!result.is_same(self)) {
    result.copy_(self);
  }
  if (source.numel() == 0) {
    return;
  }
  TORCH_CHECK_INDEX(index.dim() <= 1, "index_copy expects a vector of indices");
  TORCH_CHECK(result.is_contiguous(), "index_copy on MPS expects a contiguous result");
  const auto contiguous_source = source.contiguous();
  const auto contiguous_index = index.contiguous();
  const auto dim_size = static_cast<uint32_t>(result.size(dim));
  const auto inner = static_cast<uint32_t>(result.stride(dim));
  const auto index_count = static_cast<uint32_t>(index.numel());
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc(fmt::format("index_copy_{}", scalarToMetalTypeString(result)));
      [encoder setComputePipelineState:pipeline];
      mtl_setArgs(encoder, result, contiguous_source, contiguous_index, dim_size, inner, index_count);
      mtl_dispatch2DJob(encoder, pipeline, inner, source.numel() / inner);
    }
  });
}

TORCH_IMPL_FUNC(gather_out_mps)
(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad, const Tensor& result) {
  using namespace mps;
  if (index.numel() == 0) {
    return;
  }
  const auto input = self.transpose(dim, -1).contiguous();
  const auto indices = index.transpose(dim, -1).contiguous();
  const std::array<uint32_t, 2> columns = {static_cast<uint32_t>(indices.size(-1)),
                                           static_cast<uint32_t>(input.size(-1))};
  const auto rows = static_cast<NSUInteger>(indices.numel() / columns[0]);
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc("gather_" + scalarToMetalTypeString(input));
      [encoder setComputePipelineState:pipeline];
      mtl_setArgs(encoder, result, input, indices, columns);
      mtl_setArgs<4>(encoder, stream->getErrorBuffer());
      mtl_dispatch2DJob(encoder, pipeline, columns[0], rows);
    }
  });
}

Tensor& masked_fill__mps(Tensor& self, const Tensor& mask, const Scalar& value) {
  using namespace mps;
  TORCH_CHECK(mask.scalar_type() == kBool, "masked_fill_ expects a boolean mask");
  TORCH_CHECK(self.is_contiguous(), "masked_fill_ on MPS expects a contiguous tensor");
  if (self.numel() == 0) {
    return self;
  }
  const auto expanded = mask.expand(self.sizes()).contiguous();
  const auto scalar = getMPSScalar(value, self.scalar_type());
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc("masked_fill_scalar_" + bit_size_string(self.element_size()));
      [encoder setComputePipelineState:pipeline];
      mtl_setArgs(encoder, self, expanded, scalar);
      mtl_dispatch1DJob(encoder, pipeline, self.numel());
    }
  });
  return self;
}

Tensor& masked_fill__mps(Tensor& self, const Tensor& mask, const Tensor& value) {
  TORCH_CHECK(value.dim() == 0, "masked_fill_ expects a value without dimensions");
  return masked_fill__mps(self, mask, value.item());
}

Tensor _bincount_mps(const Tensor& self, const std::optional<Tensor>& weights_opt, int64_t minlength) {
  using namespace mps;
  TORCH_CHECK(self.dim() == 1 && minlength >= 0, "bincount expects a vector and a minlength of at least 0");
  const auto input = self.to(kLong).contiguous();
  const int64_t bins = std::max<int64_t>(self.numel() == 0 ? 0 : self.max().item<int64_t>() + 1, minlength);
  const bool weighted = weights_opt.has_value() && weights_opt->defined();
  auto output = at::zeros({bins}, self.options().dtype(weighted ? kFloat : kInt));
  if (input.numel() == 0) {
    return output;
  }
  if (weighted) {
    const auto weights = weights_opt->to(kFloat).contiguous();
    auto kernel = lib.getKernelFunction("bincount_weighted");
    kernel->runCommandBlock([&] {
      kernel->startEncoding();
      kernel->setArg(0, output);
      kernel->setArg(1, input);
      kernel->setArg(2, bins);
      kernel->setArg(3, weights);
      kernel->dispatch(input.numel());
    });
    return output;
  }
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = lib.getPipelineStateForFunc("bincount");
      [encoder setComputePipelineState:pipeline];
      mtl_setArgs(encoder, output, input, bins);
      mtl_dispatch1DJob(encoder, pipeline, input.numel());
    }
  });
  return output.to(kLong);
}

REGISTER_DISPATCH(index_stub, &index_kernel_mps)
REGISTER_DISPATCH(index_put_stub, &index_put_kernel_mps)

} // namespace at::native
