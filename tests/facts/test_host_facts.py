"""What one Objective-C++ file states."""

import msgspec

from mkls.facts.host import host_facts
from mkls.facts.model.host import Function, FunctionKind, HostFacts, ItemFacts
from mkls.text.span import Span


def functions(facts: HostFacts) -> list[Function]:
    return [function for item in facts.items for function in item.facts.functions]


def only_item(text: str) -> ItemFacts:
    (item,) = host_facts(text).items
    assert item.start == 0
    return item.facts


def only_function(text: str) -> Function:
    (function,) = functions(host_facts(text))
    return function


def test_a_torch_impl_func() -> None:
    text = "TORCH_IMPL_FUNC(exp_out_mps)\n(const Tensor& self, const Tensor& out) {\n  f();\n}\n"
    function = only_function(text)
    assert function.name.text == "exp_out_mps"
    assert function.name.span.of(text) == "exp_out_mps"
    assert function.kind is FunctionKind.TORCH_IMPL
    assert function.span == Span(0, len(text) - 1)
    assert [(it.type, it.name) for it in function.parameters] == [
        *(("const Tensor&", "self"), ("const Tensor&", "out"))
    ]


def test_a_free_function_with_templates_and_defaults() -> None:
    text = """template <typename T, typename = std::enable_if_t<(sizeof(T) > 2)>>
static std::pair<id<MTLFunction>, std::vector<T>> make(const std::map<int, T>& table,
                                                      const Scalar& lambda = Scalar(0.5),
                                                      int (&sizes)[3],
                                                      bool) {
}
"""
    function = only_function(text)
    assert function.name.text == "make"
    assert function.internal
    assert [(it.type, it.name, it.default) for it in function.parameters] == [
        ("const std::map<int, T>&", "table", ""),
        ("const Scalar&", "lambda", "Scalar(0.5)"),
        ("int (&sizes)[3]", "", ""),
        ("bool", "", ""),
    ]


def test_methods() -> None:
    text = """void Library::Inner::run(int a) const {
}
class Holder final : public Base {
 public:
  explicit Holder(int a) : a_(a) {}
  ~Holder() override { release(); }
  std::string name(int b) { return "n"; }
 private:
  int a_ = 0;
};
"""
    found = [(it.qualifier, it.name.text, it.kind) for it in functions(host_facts(text))]
    assert found == [
        ("Library::Inner", "run", FunctionKind.METHOD),
        ("Holder", "Holder", FunctionKind.METHOD),
        ("Holder", "~Holder", FunctionKind.METHOD),
        ("Holder", "name", FunctionKind.METHOD),
    ]


def test_what_is_no_function() -> None:
    text = """
enum class Kind { A, B };
static const std::vector<int> table = {1, 2};
@implementation Foo
- (void)bar:(int)x {
}
@end
using F = void (*)(int);
static auto value = [](int x) { return x; }(3);
"""
    assert functions(host_facts(text)) == []


def test_registrations_of_operators() -> None:
    text = """TORCH_LIBRARY_IMPL(aten, MPS, m) {
  m.impl("bitwise_and.Tensor_out", bitwise_and_out_mps);
  m.impl(TORCH_SELECTIVE_NAME("aten::hardshrink"), TORCH_FN(mps::hardshrink));
  m.impl("col2im", torch::CppFunction::makeFromBoxedFunction<&mps_fallback>());
  m.def("sum(Tensor self) -> Tensor");
}
"""
    impls = only_item(text).impls
    assert [(it.operator.text, it.function and it.function.text, it.defines) for it in impls] == [
        ("bitwise_and.Tensor_out", "bitwise_and_out_mps", False),
        ("hardshrink", "hardshrink", False),
        ("col2im", None, False),
        ("sum", None, True),
    ]
    assert {(it.namespace, it.dispatch_key) for it in impls} == {("aten", "MPS")}
    assert [it.operator.span.of(text) for it in impls] == [it.operator.text for it in impls]
    assert impls[0].span.of(text) == 'impl("bitwise_and.Tensor_out", bitwise_and_out_mps)'


MSL = "\n#include <metal_stdlib>\nkernel void add(device {0}* x [[buffer(0)]]) {{ x[0] += 1; }}\n"


def test_msl_given_to_a_library() -> None:
    text = f'static MetalShaderLibrary lib(R"METAL({MSL})METAL", 2);\n'
    facts = only_item(text)
    (shader,) = facts.shaders
    assert shader.span.of(text) == MSL
    assert shader.name
    assert shader.name.text == "lib"
    (library,) = facts.libraries
    assert (library.name.text, library.shader, library.type_parameters) == ("lib", shader.span, 2)
    assert not library.bundled


def test_msl_in_a_constant() -> None:
    text = (
        f'static const char* KERNELS = R"K({MSL})K";\n'
        "static mps::MetalShaderLibrary lib(KERNELS, 3);\n"
    )
    first, second = host_facts(text).items
    (shader,) = first.facts.shaders
    assert shader.name
    assert shader.name.text == "KERNELS"
    (library,) = second.facts.libraries
    assert (library.source, library.type_parameters, library.shader) == ("KERNELS", 3, None)


def test_the_bundled_library() -> None:
    text = "static auto& lib = mps::MetalShaderLibrary::getBundledLibrary();\n"
    (library,) = only_item(text).libraries
    assert (library.name.text, library.bundled) == ("lib", True)


EXTENSION = f"""#include <torch/extension.h>
#import <Metal/Metal.h>

static char *CUSTOM_KERNEL = R"MTL({MSL})MTL";

static inline id<MTLBuffer> buffer_of(const torch::Tensor& tensor) {{
  return __builtin_bit_cast(id<MTLBuffer>, tensor.storage().data());
}}

torch::Tensor& launch(const torch::Tensor& input, torch::Tensor& output) {{
  @autoreleasepool {{
    NSError* error = nil;
    NSString* source = [NSString stringWithUTF8String:CUSTOM_KERNEL];
    id<MTLLibrary> library = [device newLibraryWithSource:source options:nil error:&error];
    const bool wide = input.scalar_type() == torch::kFloat;
    std::string kernel_name = std::string("add_kernel_") + (wide ? "float" : "half");
    id<MTLFunction> function =
        [library newFunctionWithName:[NSString stringWithUTF8String:kernel_name.c_str()]];
  }}
  return output;
}}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {{
  m.def("launch", &launch);
}}
"""


def test_an_extension_of_a_third_party() -> None:
    facts = host_facts(EXTENSION)
    assert [it.name.text for it in functions(facts)] == ["buffer_of", "launch"]
    (lookup,) = functions(facts)[1].lookups
    assert (lookup.function.text, lookup.library) == ("newFunctionWithName", "library")
    (item,) = (item for item in facts.items if item.facts.shaders)
    assert item.facts.shaders[0].span.shifted(item.start).of(EXTENSION) == MSL
    assert [include.path.text for include in facts.includes] == [
        "torch/extension.h",
        "Metal/Metal.h",
    ]


def test_macros_and_invocations() -> None:
    text = "#define MAKE(A, B) \\\n  void A##_mps() { f(B); }\nMAKE(sin, cos)\n"
    facts = host_facts(text)
    (macro,) = facts.macros
    assert (macro.name.text, macro.parameters) == ("MAKE", ("A", "B"))
    (invocation,) = facts.items[0].facts.invocations
    assert [argument.text for argument in invocation.arguments] == ["sin", "cos"]
    start = facts.items[0].start
    assert invocation.arguments[1].span.shifted(start).of(text) == "cos"


def test_an_untouched_item_states_the_same_object_after_an_edit() -> None:
    before = (
        'void f() { lib.getPipelineStateForFunc("a"); }\n'
        'void g() { lib.getPipelineStateForFunc("b"); }\n'
    )
    after = before.replace('"a"', '"longer"')
    first, second = host_facts(before), host_facts(after)
    assert second.items[1].start == first.items[1].start + 5
    assert second.items[1].facts is first.items[1].facts
    assert second.items[0].facts != first.items[0].facts


def test_facts_survive_the_cache_on_disk() -> None:
    text = (
        EXTENSION
        + """
DECLARE_DISPATCH(unary_fn, sin_stub);
REGISTER_DISPATCH(sin_stub, &sin_kernel);
static const std::string kStem = "stem";
void f(const std::string& n) {
  lib.getPipelineStateForFunc(fmt::format("{}_{}", n, w ? g(n) : scalarToMetalTypeString(t)));
  forward("x", n);
}
"""
    )
    facts = host_facts(text)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(facts), type=HostFacts) == facts
