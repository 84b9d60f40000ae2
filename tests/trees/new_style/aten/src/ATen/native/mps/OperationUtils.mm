#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/TensorBase.h>
#include <ATen/native/mps/MetalShaderLibrary.h>
#include <ATen/native/mps/OperationUtils.h>
#include <c10/metal/common.h>
#include <fmt/format.h>

namespace at::native::mps {

// How Metal spells a dtype: the suffixes of kernel names are made of these.
std::string scalarToMetalTypeString(const c10::ScalarType& scalar_type) {
  switch (scalar_type) {
    case ScalarType::Float:
      return "float";
    case ScalarType::Half:
      return "half";
    case ScalarType::BFloat16:
      return "bfloat";
    case ScalarType::Int:
      return "int";
    case ScalarType::Long:
      return "long";
    case ScalarType::Short:
      return "short";
    case ScalarType::Char:
      return "char";
    case ScalarType::Byte:
      return "uchar";
    case ScalarType::Bool:
      return "bool";
    case ScalarType::ComplexHalf:
      return "half2";
    case ScalarType::ComplexFloat:
      return "float2";
    case ScalarType::UInt16:
      return "ushort";
    case ScalarType::UInt32:
      return "uint";
    case ScalarType::UInt64:
      return "ulong";
    default:
      TORCH_CHECK_TYPE(false, "MPS has no Metal type for ", scalar_type);
      return "Undefined";
  }
}

MetalShaderLibrary::~MetalShaderLibrary() {
  for (const auto& entry : cplMap) {
    auto [pipeline, function] = entry.second;
    [pipeline release];
    [function release];
  }
}

id<MTLLibrary> MetalShaderLibrary::getLibrary() {
  if (!library) {
    library = compileLibrary(shaderSource);
  }
  return library;
}

id<MTLLibrary> MetalShaderLibrary::getLibrary(const std::initializer_list<std::string>& params) {
  const auto key = fmt::format("{}", fmt::join(params, ":"));
  if (auto found = libMap.find(key); found != libMap.end()) {
    return found->second;
  }
  auto parameter = params.begin();
  auto made = nparams == 1 ? compileLibrary(fmt::format(fmt::runtime(shaderSource), *parameter))
                           : compileLibrary(fmt::format(fmt::runtime(shaderSource), *parameter, *(parameter + 1)));
  return libMap.try_emplace(key, made).first->second;
}

std::pair<id<MTLComputePipelineState>, id<MTLFunction>> MetalShaderLibrary::getLibraryPipelineState(
    id<MTLLibrary> lib,
    const std::string& fname) {
  const auto key = fmt::format("{}:{}", reinterpret_cast<void*>(lib), fname);
  if (auto found = cplMap.find(key); found != cplMap.end()) {
    return found->second;
  }
  NSError* error = nil;
  id<MTLFunction> function = [lib newFunctionWithName:[NSString stringWithUTF8String:fname.c_str()]];
  TORCH_CHECK(function, "Failed to create function state object for: ", fname);
  auto pipeline = [[lib device] newComputePipelineStateWithFunction:function error:&error];
  TORCH_CHECK(pipeline, "Failed to created pipeline state object, error: ", [[error description] UTF8String]);
  return cplMap.try_emplace(key, pipeline, function).first->second;
}

bool MetalShaderLibrary::hasFunction(const std::string& fname) {
  if (!functionNamesPopulated) {
    const auto names = getFunctionNames();
    functionNames.insert(names.begin(), names.end());
    functionNamesPopulated = true;
  }
  return functionNames.count(fname) != 0;
}

std::shared_ptr<MetalKernelFunction> MetalShaderLibrary::getKernelFunction(const std::string& name) {
  auto [pipeline, function] = getLibraryPipelineState(getLibrary(), name);
  return std::make_shared<MetalKernelFunction>(pipeline, function);
}

MetalKernelFunction* MetalShaderLibrary::getCachedKernelFunctionPtr(const std::string& name) {
  if (auto found = kernelCache.find(name); found != kernelCache.end()) {
    return found->second.get();
  }
  auto [pipeline, function] = getLibraryPipelineState(getLibrary(), name);
  auto kernel = std::make_unique<MetalKernelFunction>(pipeline, function);
  return kernelCache.try_emplace(name, std::move(kernel)).first->second.get();
}

// Above this many elements a thread handles several of them.
constexpr uint32_t kIlpElements = 1u << 18;

void MetalShaderLibrary::exec_unary_kernel(TensorIteratorBase& iter,
                                           const std::string& name,
                                           std::optional<c10::Scalar> alpha,
                                           std::optional<c10::ScalarType> scalar_arg_type,
                                           std::optional<uint32_t> ilp_threshold) {
  if (!iter.can_use_32bit_indexing()) {
    for (auto&& part : iter.with_32bit_indexing()) {
      exec_unary_kernel(part, name, alpha, scalar_arg_type, ilp_threshold);
    }
    return;
  }
  const uint32_t length = iter.numel();
  if (length == 0) {
    return;
  }
  auto input = iter.input(0);
  auto output = iter.output(0);
  const bool contiguous = iter.is_contiguous();
  const bool wide = contiguous && !alpha.has_value() &&
      (c10::isFloatingType(output.scalar_type()) || ilp_threshold.has_value()) &&
      length >= ilp_threshold.value_or(kIlpElements);
  const auto alpha_type = scalar_arg_type.value_or(iter.common_dtype());

  std::string flavor = "dense_scalar";
  if (!contiguous) {
    flavor = "strided";
  } else if (wide || alpha.has_value()) {
    flavor = "dense";
  }
  auto kernel_name = fmt::format("{}_{}_{}_{}{}",
                                 name,
                                 flavor,
                                 scalarToMetalTypeString(output),
                                 scalarToMetalTypeString(input),
                                 alpha.has_value() ? fmt::format("_{}", scalarToMetalTypeString(alpha_type)) : "");
  // Without a kernel for this output, one that casts as it stores: keyed on the input alone.
  const bool castout = !alpha.has_value() && !hasFunction(kernel_name);
  const bool wide_castout = castout && contiguous && ilp_threshold.has_value() && length >= *ilp_threshold;
  if (castout) {
    if (wide_castout) {
      flavor = "dense_castout_ilp";
    } else {
      flavor = contiguous ? "dense_castout" : "strided_castout";
    }
    kernel_name = fmt::format("{}_{}_{}", name, flavor, scalarToMetalTypeString(input));
  }

  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = getPipelineStateForFunc(kernel_name);
      [encoder setComputePipelineState:pipeline];
      bind_iter_tensors(encoder, iter);
      encode_unary(encoder, pipeline, iter, alpha, alpha_type, castout, wide || wide_castout);
    }
  });
}

void MetalShaderLibrary::exec_unary_kernel_raw(const std::string& name,
                                               MTLBuffer_t src_buf,
                                               uint32_t src_offs_bytes,
                                               c10::ScalarType src_dtype,
                                               MTLBuffer_t dst_buf,
                                               uint32_t dst_offs_bytes,
                                               c10::ScalarType dst_dtype,
                                               uint32_t numel,
                                               std::optional<uint32_t> ilp_threshold) {
  if (numel == 0) {
    return;
  }
  const bool wide = ilp_threshold.has_value() && numel >= *ilp_threshold;
  const auto kernel_name =
      fmt::format("{}_{}_{}", name, wide ? "dense_castout_ilp" : "dense_castout", scalarToMetalTypeString(src_dtype));
  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = getPipelineStateForFunc(kernel_name);
      [encoder setComputePipelineState:pipeline];
      [encoder setBuffer:dst_buf offset:dst_offs_bytes atIndex:0];
      [encoder setBuffer:src_buf offset:src_offs_bytes atIndex:1];
      encode_castout_size(encoder, pipeline, dst_dtype, numel, wide);
    }
  });
}

void MetalShaderLibrary::exec_binary_kernel(TensorIteratorBase& iter,
                                            const std::string& name,
                                            std::optional<c10::Scalar> alpha,
                                            std::optional<c10::ScalarType> scalar_arg_type,
                                            std::optional<c10::ScalarType> natural_output_dtype,
                                            std::optional<uint32_t> ilp_threshold) {
  TORCH_CHECK(iter.output().scalar_type() != at::kDouble, "float64 is not supported on MPS");
  if (iter.numel() == 0) {
    return;
  }
  if (!iter.can_use_32bit_indexing()) {
    for (auto&& part : iter.with_32bit_indexing()) {
      exec_binary_kernel(part, name, alpha, scalar_arg_type, natural_output_dtype, ilp_threshold);
    }
    return;
  }

  Tensor input = iter.input(0);
  Tensor other = iter.input(1);
  Tensor out = iter.output();
  const auto natural = natural_output_dtype.value_or(out.scalar_type());
  const bool output_cast = out.scalar_type() != natural;
  const bool cast = input.scalar_type() != other.scalar_type();
  const auto broadcast = broadcast_kind(input, other, out, output_cast);
  const auto side = broadcast.on_lhs ? "_lhs" : "";
  const auto broadcast_side = broadcast.on_lhs ? "_rhs" : "";

  const auto alpha_type = scalar_arg_type.value_or(cast ? out.scalar_type() : iter.common_dtype());
  const auto alpha_suffix = alpha.has_value() ? fmt::format("_{}", scalarToMetalTypeString(alpha_type)) : "";
  const auto threshold = ilp_threshold.value_or(
      c10::isFloatingType(out.scalar_type()) ? kIlpElements : std::numeric_limits<uint32_t>::max());
  const bool wide = !broadcast && iter.is_contiguous() && !cast && !alpha.has_value() && !output_cast &&
      static_cast<uint32_t>(iter.numel()) >= threshold;
  const auto cast_suffix =
      fmt::format("{}_{}",
                  scalarToMetalTypeString(out),
                  scalarToMetalTypeString(out.scalar_type() == kBool ? iter.common_dtype() : out.scalar_type()));

  std::string kernel_name;
  if (output_cast) {
    kernel_name = fmt::format("{}_strided_castout_{}_{}{}",
                              name,
                              scalarToMetalTypeString(natural),
                              scalarToMetalTypeString(iter.common_dtype()),
                              alpha_suffix);
  } else if (broadcast.is_scalar) {
    kernel_name = cast ? fmt::format("{}_dense_scalar{}_cast_{}{}", name, side, cast_suffix, alpha_suffix)
                       : fmt::format("{}_dense_scalar{}_{}_{}{}",
                                     name,
                                     side,
                                     scalarToMetalTypeString(out),
                                     scalarToMetalTypeString(broadcast.on_lhs ? other : input),
                                     alpha_suffix);
  } else if (broadcast) {
    kernel_name = cast ? fmt::format("{}_dense_broadcast{}_cast_{}{}", name, broadcast_side, cast_suffix, alpha_suffix)
                       : fmt::format("{}_dense_broadcast{}_{}_{}{}",
                                     name,
                                     broadcast_side,
                                     scalarToMetalTypeString(out),
                                     scalarToMetalTypeString(input),
                                     alpha_suffix);
  } else if (cast) {
    kernel_name =
        fmt::format("{}_{}_cast_{}{}", name, iter.is_contiguous() ? "dense" : "strided", cast_suffix, alpha_suffix);
  } else {
    const auto flavor = wide ? "dense_ilp" C10_METAL_ILP_PER_THREAD_STR : (iter.is_contiguous() ? "dense" : "strided");
    kernel_name = fmt::format(
        "{}_{}_{}_{}{}", name, flavor, scalarToMetalTypeString(out), scalarToMetalTypeString(input), alpha_suffix);
  }

  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = getPipelineStateForFunc(kernel_name);
      [encoder setComputePipelineState:pipeline];
      bind_iter_tensors(encoder, iter);
      encode_binary(encoder, pipeline, iter, broadcast, alpha, alpha_type, cast || output_cast, wide);
    }
  });
}

void MetalShaderLibrary::exec_ternary_kernel(TensorIteratorBase& iter, const std::string& name) {
  TORCH_CHECK(iter.output().scalar_type() != at::kDouble, "float64 is not supported on MPS");
  if (iter.numel() == 0) {
    return;
  }
  if (!iter.can_use_32bit_indexing()) {
    for (auto&& part : iter.with_32bit_indexing()) {
      exec_ternary_kernel(part, name);
    }
    return;
  }
  Tensor input = iter.input(0);
  Tensor other1 = iter.input(1);
  Tensor other2 = iter.input(2);
  Tensor out = iter.output();
  const bool cast = input.scalar_type() != other1.scalar_type() || input.scalar_type() != other2.scalar_type();
  const auto flavor = iter.is_contiguous() ? "dense" : "strided";
  const auto kernel_name = cast
      ? fmt::format("{}_{}_cast_{}", name, flavor, scalarToMetalTypeString(out))
      : fmt::format("{}_{}_{}_{}", name, flavor, scalarToMetalTypeString(out), scalarToMetalTypeString(input));

  MPSStream* stream = getCurrentMPSStream();
  dispatch_sync_with_rethrow(stream->queue(), ^() {
    @autoreleasepool {
      auto encoder = stream->commandEncoder();
      auto pipeline = getPipelineStateForFunc(kernel_name);
      [encoder setComputePipelineState:pipeline];
      bind_iter_tensors(encoder, iter);
      encode_ternary(encoder, pipeline, iter, cast);
    }
  });
}

MetalKernelFunction::MetalKernelFunction(MTLComputePipelineState_t cps_, MTLFunction_t f_)
    : cps([cps_ retain]), func([f_ retain]) {}

MetalKernelFunction::~MetalKernelFunction() {
  [cps release];
  [func release];
}

void MetalKernelFunction::runCommandBlock(std::function<void(void)> run) {
  dispatch_sync_with_rethrow(getCurrentMPSStream()->queue(), ^() {
    @autoreleasepool {
      run();
    }
  });
}

void MetalKernelFunction::startEncoding() {
  encoder = getCurrentMPSStream()->commandEncoder();
  [encoder setComputePipelineState:cps];
}

void MetalKernelFunction::setArg(unsigned idx, const at::TensorBase& t) {
  mtl_setBuffer(encoder, t, idx);
}

void MetalKernelFunction::setArg(unsigned idx, const void* ptr, uint64_t size) {
  [encoder setBytes:ptr length:size atIndex:idx];
}

void MetalKernelFunction::dispatch(uint64_t length, std::optional<uint64_t> group_size) {
  const auto most = [cps maxTotalThreadsPerThreadgroup];
  const auto size = MTLSizeMake(std::clamp(group_size.value_or(length), 1ULL, most), 1, 1);
  [encoder dispatchThreads:MTLSizeMake(length, 1, 1) threadsPerThreadgroup:size];
}

class BundledShaderLibrary : public MetalShaderLibrary {
 public:
  BundledShaderLibrary() : MetalShaderLibrary("") {}

 protected:
  id<MTLLibrary> getLibrary() override {
    if (!library) {
      NSError* error = nil;
#ifdef CAN_BUILD_METAL_4
      const auto section = is_macos_at_least(MacOSVersion::MACOS_26_2) ? "metal_40" : "metal_basic";
#else
      const auto section = "metal_basic";
#endif
      library = [MPSDevice::getInstance()->device() newLibraryWithData:section_data(section) error:&error];
      TORCH_CHECK(library, "Failed to create metal library, error: ", [[error description] UTF8String]);
    }
    return library;
  }
};

MetalShaderLibrary& MetalShaderLibrary::getBundledLibrary() {
  static BundledShaderLibrary bundled;
  return bundled;
}

} // namespace at::native::mps
