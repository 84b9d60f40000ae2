"""What name a lookup asks for, however the host code spells it."""

import pytest

from tests.index.host_workspace import index_of, requested, written


def in_function(statements: str, parameters: str = "const Tensor& t, bool flag") -> list[str]:
    return requested(f"static void launch({parameters}) {{\n{statements}\n}}\n")


def asked(expression: str, before: str = "") -> list[str]:
    return in_function(f"{before}\n  auto pso = lib.getPipelineStateForFunc({expression});")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('"plain"', ["plain"]),
        ('"two" " parts"', ["two parts"]),
        ('std::string("made")', ["made"]),
        ('"a_" + scalarToMetalTypeString(t)', ["a_{dtype}"]),
        ('std::string("a_") + mps::scalarToMetalTypeString(t.scalar_type())', ["a_{dtype}"]),
        ('("a" + ("b" + std::string{"c"}))', ["abc"]),
        ('fmt::format("a_{}_{}", 3, scalarToMetalTypeString(t))', ["a_3_{dtype}"]),
        ('fmt::format("a_{}_{}", n * 2, scalarToMetalTypeString(t))', ["a_{number}_{dtype}"]),
        (
            'fmt::format(FMT_STRING("a_{}"), std::is_same_v<A, uint32_t> ? "u" : "v")',
            ["a_u", "a_v"],
        ),
        ('fmt::format("a{}", flag ? "_mpp"sv : ""sv)', ["a_mpp", "a"]),
        ("fmt::format(\"a_{}\", flag ? 'n' : 't')", ["a_n", "a_t"]),
        ('fmt::format("{1}{0}", "b", "a")', ["ab"]),
        ('fmt::format("{{{}}}", "x")', ["{x}"]),
        ('fmt::format("v{:02d}", n)', ["v…"]),
        ('std::format("{}_{}", "n", scalarToMetalTypeString(t))', ["n_{dtype}"]),
        ('c10::str("a_", scalarToMetalTypeString(t), "_b")', ["a_{dtype}_b"]),
        ('"w" + std::to_string(4)', ["w4"]),
        ('"w" + std::to_string(width)', ["w…"]),
        ('"w" + std::to_string(3 + 4)', ["w…"]),
        ('flag ? "left" : "right"', ["left", "right"]),
        ('a ? "x" : b ? "y" : "z"', ["x", "y", "z"]),
        ('(flag ? "left" : "right") + std::string("_k")', ["left_k", "right_k"]),
        ('std::string(flag ? "l" : "r") + (other ? "_1" : "_2")', ["l_1 or l_2 or r_1 or r_2"]),
        ("table.at(t.scalar_type())", ["…"]),
        ('"a\\x41" "b\\"c"', ['aAb"c']),
        ('R"(raw name)"', ["raw name"]),
        ('"x" "_ilp" C10_WIDTH', ["x_ilp{…}"]),
        ("__func__", ["launch"]),
    ],
)
def test_expression(expression: str, expected: list[str]) -> None:
    assert asked(expression) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ('std::string name = "k";', ["k"]),
        ('const auto name = fmt::format("k_{}", scalarToMetalTypeString(t));', ["k_{dtype}"]),
        ('const char* name = "k";', ["k"]),
        ('const std::string name("k");', ["k"]),
        ('std::string name{"k"};', ["k"]),
        ('std::string name = "k"; name += "_x";', ["k_x"]),
        ('std::string name = "k"; if (flag) { name += "_x"; }', ["k", "k_x"]),
        ('std::string name = "k"; if (flag) name += "_x";', ["k", "k_x"]),
        ('std::string name; if (flag) { name = "a"; } else { name = "b"; }', ["a", "b"]),
        ('std::string name; if (flag) name = "a"; else name = "b";', ["a", "b"]),
        ('std::string name = "never"; if (f) { name = "a"; } else { name = "b"; }', ["a", "b"]),
        (
            'std::string name; if (f) {name = "a";} else if (g) {name = "b";} else {name = "c";}',
            ["a", "b", "c"],
        ),
        ('std::string name = "first"; name = "second";', ["second"]),
        (
            'std::string name; switch (n) { case 1: name = "a"; break; default: name = "b"; }',
            ["a", "b"],
        ),
        ('auto stem = "s"; auto name = std::string(stem) + "_t";', ["s_t"]),
        (
            'std::string_view s = flag ? "u" : "v"; auto name = fmt::format("{}_k", s);',
            ["u_k", "v_k"],
        ),
        ('NSString* name = @"k";', ["k"]),
        ('NSString* name = [NSString stringWithUTF8String:"k"];', ["k"]),
        ("auto name = make_name(t);", ["…"]),
        ('const auto n = big ? 64 : 32; auto name = fmt::format("k_{}", n);', ["k_64", "k_32"]),
        ('constexpr int n = 8; auto name = "k_" + std::to_string(n + 1);', ["k_…"]),
        (
            'auto k = [&](std::string s, int i) { return "k" + s; }; auto name = k("x") + k("y");',
            ["kxky"],
        ),
        (
            'auto s = "s"; auto k = [&](bool w) { if (w) return "w"; return s; }; name = k(1);',
            ["w", "s"],
        ),
        (
            'std::string name = "k"; if (a) { name += "_x"; } else { name += "_y"; } name += "_z";',
            ["k_x_z", "k_y_z"],
        ),
        (
            'std::string name = "k"; if (a) { if (b) { name += "_x"; } } else { name = "y"; }',
            ["k", "k_x", "y"],
        ),
    ],
)
def test_local_variable(before: str, expected: list[str]) -> None:
    assert asked("name", before) == expected


def test_a_branch_that_the_lookup_is_not_in_does_not_count() -> None:
    statements = (
        'std::string name = "none";\n'
        'if (flag) { name = "a"; use(name); }\n'
        'else { name = "b"; lib.getPipelineStateForFunc(name); }'
    )
    assert in_function(statements) == ["b"]


def test_a_block_that_always_runs_is_no_branch() -> None:
    statements = (
        "dispatch_sync(queue, ^() { @autoreleasepool {\n"
        '  const std::string name = "k_" + scalarToMetalTypeString(t);\n'
        "  auto pso = lib.getPipelineStateForFunc(name); } });"
    )
    assert in_function(statements) == ["k_{dtype}"]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('lib.getMTLFunction("k");', ["k"]),
        ('library->getKernelFunction("k");', ["k"]),
        ('lib.getCachedKernelFunctionPtr("k");', ["k"]),
        ('(flag ? a : b).getPipelineStateForFunc("k");', ["k"]),
        ('auto f = [library newFunctionWithName:@"k"];', ["k"]),
        ('auto f = [[self library] newFunctionWithName:@"k" constantValues:v error:&e];', ["k"]),
        (
            '[l newFunctionWithName:[NSString stringWithUTF8String:fmt::format("k_v").c_str()]];',
            ["k_v"],
        ),
        (
            'auto f = [l newFunctionWithName:[NSString stringWithFormat:@"k_%s_%d", "v", 3]];',
            ["k_v_…"],
        ),
        ('return lib.getPipelineStateForFunc("k", {scalarToMetalTypeString(t), "float"});', ["k"]),
    ],
)
def test_way_of_asking(statement: str, expected: list[str]) -> None:
    assert in_function(statement) == expected


HELPER = """
static std::string suffix(const Tensor& t, bool wide = false) {
  if (wide) {
    return "_wide";
  }
  return "_" + scalarToMetalTypeString(t);
}
"""


def test_a_helper_function_is_folded_through_its_results() -> None:
    text = HELPER + 'void f(const Tensor& t) { lib.getPipelineStateForFunc("k" + suffix(t)); }\n'
    assert requested(text) == ["k_wide", "k_{dtype}"]


def test_a_helper_gets_its_arguments() -> None:
    text = """
static std::string joined(const std::string& stem, const char* end) { return stem + "_" + end; }
void f() { lib.getPipelineStateForFunc(joined("k", "v")); }
"""
    assert requested(text) == ["k_v"]


def test_specialisations_of_a_helper_are_all_meant() -> None:
    text = """
template <typename T> std::string index_type();
template <> std::string index_type<int32_t>() { return "int"; }
template <> std::string index_type<int64_t>() { return "long"; }
template <typename T> void f() { lib.getPipelineStateForFunc("k_" + index_type<T>()); }
"""
    assert requested(text) == ["k_int", "k_long"]


def test_helpers_that_call_each_other_end() -> None:
    text = """
static std::string type_of(ScalarType s) { return scalarToMetalTypeString(s); }
static std::string type_of(const Tensor& t) { return type_of(t.scalar_type()); }
static std::string endless(int i) { return endless(i); }
void f(const Tensor& t) {
  lib.getPipelineStateForFunc("k_" + type_of(t));
  lib.getPipelineStateForFunc("k_" + endless(1));
}
"""
    assert requested(text) == ["k_{dtype}", "k_…"]


FORWARDER = {
    "Helper.h": "#pragma once\n#include <MetalShaderLibrary.h>\n"
    "void run(const std::string& name, const Tensor& t);\n"
    "static inline void twice(const std::string& stem, const Tensor& t) {\n"
    "  MTLComputePipelineState_t none;\n"
    '  run(stem + "_twice", t);\n}\n',
    "Helper.mm": "void run(const std::string& name, const Tensor& t) {\n"
    '  lib.getPipelineStateForFunc(name + "_" + scalarToMetalTypeString(t));\n}\n',
    "One.mm": 'void one(const Tensor& t) { run("one", t); twice("two", t); }\n',
    "Other.mm": 'void other(const Tensor& t) { run(t.dim() ? "big" : "small", t); }\n',
}


def test_a_name_is_followed_to_the_callers_in_other_files() -> None:
    assert requested(FORWARDER) == [
        *("one_{dtype}", "big_{dtype}", "small_{dtype}", "two_twice_{dtype}")
    ]


def test_a_request_is_placed_on_the_callers_literal() -> None:
    (linked,) = index_of(FORWARDER).lookups
    places = [
        (request.place.uri.rpartition("/")[2], written(FORWARDER, request))
        for request in linked.requests
    ]
    assert places == [
        *(("One.mm", "one"), ("Other.mm", "big"), ("Other.mm", "small"), ("One.mm", "two"))
    ]
    assert [len(request.via) for request in linked.requests] == [1, 1, 1, 2]


def test_a_lookup_with_one_literal_is_placed_on_it() -> None:
    files = {"a.mm": 'void f(const Tensor& t) { lib.getPipelineStateForFunc("lerp_" + g(t)); }\n'}
    (linked,) = index_of(files).lookups
    assert [written(files, request) for request in linked.requests] == ["lerp_"]
    assert written(files, linked.requests[0]._replace(place=linked.place)) == (
        'getPipelineStateForFunc("lerp_" + g(t))'
    )


def test_static_helpers_of_the_same_name_in_two_files_are_kept_apart() -> None:
    helper = "static void go(const std::string& n) { lib.getPipelineStateForFunc(n); }\n"
    files = {
        "a.mm": helper + 'void f() { go("a"); }\n',
        "b.mm": helper + 'void g() { go("b"); }\n',
    }
    assert requested(files) == ["a", "b"]


def test_overloads_are_told_apart_by_the_number_of_arguments() -> None:
    text = """
static void go(const std::string& n) { lib.getPipelineStateForFunc(n); }
static void go(const std::string& n, int width) { lib.getPipelineStateForFunc(n + "_wide"); }
void f() { go("a"); go("b", 3); }
"""
    assert requested(text) == ["a", "b_wide"]


def test_a_name_handed_on_as_an_nsstring() -> None:
    text = """
static id<MTLFunction> named(id<MTLLibrary> library, NSString* name) {
  return [library newFunctionWithName:name];
}
void f() { named(library(), @"add"); }
void g(bool wide) { named([self library], wide ? @"mul4" : @"mul"); }
"""
    assert requested(text) == ["add", "mul4", "mul"]


def test_a_helper_nobody_calls_is_unknown() -> None:
    assert requested("void go(const std::string& n) { lib.getPipelineStateForFunc(n); }\n") == ["…"]


def test_functions_that_hand_a_name_in_a_circle_end() -> None:
    text = """
static void b(const std::string& n);
static void a(const std::string& n) { lib.getPipelineStateForFunc(n); b(n); }
static void b(const std::string& n) { a(n); }
void f() { a("k"); }
"""
    assert "k" in requested(text)


def test_a_macro_of_the_file_is_expanded() -> None:
    files = {
        "a.mm": """
#define REGISTER_UNARY(NAME)                       \\
  static void NAME##_kernel(TensorIteratorBase& iter) { \\
    lib.exec_unary_kernel(iter, #NAME);            \\
  }                                                \\
  REGISTER_DISPATCH(NAME##_stub, NAME##_kernel)

REGISTER_UNARY(exp);
REGISTER_UNARY(erfinv);
"""
    }
    index = index_of(files)
    assert [linked.function.name.text for linked in index.lookups] == [
        "exp_kernel",
        "erfinv_kernel",
    ]
    assert "exp_dense_castout_{dtype}" in index.lookups[0].requests[0].names.text
    assert written(files, index.lookups[1].requests[0]) == "erfinv"
    assert index.lookups[1].function.macro == "REGISTER_UNARY"
    registered = [stub for stub in index.stubs.by_name.values() if stub.registered]
    assert [stub.name for stub in registered] == ["erfinv_stub", "exp_stub"]


def test_a_macro_of_a_header_is_expanded() -> None:
    files = {
        "Common.h": "#define LAUNCH(OP) \\\n"
        '  void OP##_mps() { lib.getPipelineStateForFunc("k_" #OP); }\n',
        "a.mm": "#include <Common.h>\nLAUNCH(sin)\nLAUNCH(cos)\n",
    }
    assert requested(files) == ["k_sin", "k_cos"]
    assert index_of(files).functions("cos_mps")[0].macro == "LAUNCH"


def test_constants_and_object_like_macros_are_read() -> None:
    text = """
#define WIDTH "4"
static const char* kStem = "stem";
static constexpr const char* kOther = "o" "ther";
void f() {
  lib.getPipelineStateForFunc(std::string(kStem) + "_ilp" WIDTH);
  lib.getPipelineStateForFunc(kOther);
}
"""
    assert requested(text) == ["stem_ilp4", "other"]
