"""What a host function binds and launches, read from text."""

from hypothesis import given
from hypothesis import strategies as st

from mkls.facts.host import host_facts
from mkls.facts.model.launches import EventKind, ValueKind

PRELUDE = "[encoder setComputePipelineState:pipeline];\n"


def launches(body: str, parameters: str = ""):
    (item,) = host_facts(f"void f({parameters}) {{\n{body}\n}}\n").items
    return item.facts.functions[0].launches


def bound(body: str, parameters: str = ""):
    events = launches(body, parameters).events
    return [(it.index, it.name.text) for it in events if it.kind is EventKind.BIND]


def types(declarations: str, arguments: str, parameters: str = ""):
    found = launches(f"{declarations}\nmtl_setArgs(encoder, {arguments});", parameters).events
    return [(it.type.kind, it.type.element, it.type.count) for it in found]


def test_each_way_to_bind_has_its_number():
    body = """
      mtl_setArgs<2>(encoder, a, f(b, c));
      mtl_setBuffer(encoder, d, 5);
      [encoder setBytes:&e length:sizeof(float) atIndex:6];
      bind_iter_tensors(encoder, iter, 2);
    """

    assert bound(body) == [
        *[(2, "a"), (3, "f(b, c)"), (5, "d"), (6, "&e")],
        *[(0, "iter"), (1, "iter")],
    ]


def test_branches_fork_and_what_they_leave_out_is_known():
    found = launches(
        f"{PRELUDE} if (x) {{ mtl_setBytes(encoder, a, 1); }} go(); mtl_setArgs(encoder, b);"
    )

    kinds = [[found.events[it].kind.value for it in path] for path in found.paths]
    assert kinds == [["pipeline", "bind", "bind"], ["pipeline", "skipped", "bind"]]


def test_a_condition_that_is_asked_twice_holds_twice():
    found = launches("if (x) mtl_setArgs(encoder, a); if (!x) { mtl_setArgs(encoder, b); }")

    names = [
        [found.events[it].name.text for it in path if found.events[it].kind is EventKind.BIND]
        for path in found.paths
    ]
    assert sorted(names) == [["a"], ["b"]]


def test_a_path_that_returns_ends():
    found = launches("if (x) { return; } mtl_setArgs(encoder, a);")

    assert sorted(found.paths) == [(), (0,)]


def test_a_block_returns_for_itself_alone():
    found = launches("run(^() { mtl_setArgs(encoder, a); return; }); mtl_setArgs<1>(encoder, b);")

    assert found.paths == ((0, 1),)


def test_too_many_paths_are_not_followed():
    body = "".join(f"if (x{it}) {{ mtl_setBytes(encoder, a, {it}); }}\n" for it in range(5))

    assert launches(body).paths == ()


def test_types_that_the_function_tells():
    declarations = """
      const uint32_t a = 1; std::array<int64_t, 4> b = {}; auto c = static_cast<float>(x);
      auto d = t.contiguous(); std::vector<uint32_t> e(3); id<MTLBuffer> g = make();
    """
    scalar, array = ValueKind.SCALAR, ValueKind.ARRAY

    assert types(
        declarations, "a, b, c, d, e, g, t.strides(), t.numel(), h", "const Tensor& h"
    ) == [
        (scalar, "uint32_t", 1),
        (array, "int64_t", 4),
        (scalar, "float", 1),
        (ValueKind.TENSOR, "", 1),
        (array, "uint32_t", 0),
        (ValueKind.BUFFER, "", 1),
        (array, "int64_t", 0),
        (scalar, "int64_t", 1),
        (ValueKind.TENSOR, "", 1),
    ]


def test_types_that_it_does_not_tell():
    declarations = "auto a = count_of(t); T b = 1; const Thing& c = t;"

    assert {kind for kind, _, _ in types(declarations, "a, b, c, *d, e[0]")} == {ValueKind.UNKNOWN}


def test_an_encoder_that_is_handed_on():
    found = launches("auto encoder = stream->commandEncoder(); helper(pipeline, encoder);")

    assert [(it.kind, it.name.text) for it in found.events] == [(EventKind.HANDED, "helper")]


def test_the_group_of_a_launch_is_read_from_literals_and_constants():
    body = """
      constexpr NSUInteger kTile = 16;
      [encoder dispatchThreadgroups:MTLSizeMake(n, 1, 1)
              threadsPerThreadgroup:MTLSizeMake(kTile, 8, w)];
    """
    (event,) = launches(body).events

    assert (event.name.text, event.group) == ("dispatchThreadgroups", (16, 8, 0))


def test_equal_functions_state_equal_launches_wherever_they_stand():
    text = f"void f() {{ {PRELUDE} mtl_setArgs(encoder, a); }}\n"
    first, second = host_facts(text + "\n\n" + text).items

    assert first.facts is second.facts


@given(st.text(alphabet="{}()[];:if else^<>,= \nmtl_setArgsencoder0", max_size=120))
def test_no_text_makes_it_fail(text):
    host_facts("void f() { [encoder setBuffer: " + text)
    facts = host_facts("void f() { mtl_setArgs(encoder, " + text + "}")

    for item in facts.items:
        for function in item.facts.functions:
            for path in function.launches.paths if function.launches else ():
                assert all(0 <= index < len(function.launches.events) for index in path)
