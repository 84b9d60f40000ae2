"""The mask that makes C++ of Objective-C++ at equal length."""

import pytest

from mkls.syntax.host.blanking import Code
from mkls.syntax.host.masking import masked
from mkls.syntax.host.tree import host_tree


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[encoder setBuffer:b offset:0 atIndex:1];", "(encoder ,         b ,      0 ,       1);"),
        ("[[A alloc] init]", "((A      )     )"),
        ("[a.b(c)->d count]", "(a.b(c)->d      )"),
        ("[x f:p ? q : r g:s]", "(x , p ? q : r , s)"),
        ("[x f:std::max(a, b)]", "(x , std::max(a, b))"),
        ("[NSArray<NSNumber*> array]", "(NSArray" + 17 * " " + ")"),
        ("a[i] = b[j + 1];", "a[i] = b[j + 1];"),
        ("auto f = [&, this](int a) { return a; };", "auto f = [&, this](int a) { return a; };"),
        ("[[maybe_unused]] int a;", "[[maybe_unused]] int a;"),
        ('f(@"x", @(1), @2, @YES);', 'f( " ",  (1),  2,  YES);'),
        ("g(@[ a, b ]);", "g(T{ a, b });"),
        ("g(@{a : b, c : d});", "g(T{a , b, c , d});"),
        ("@autoreleasepool { f(); }", "                 { f(); }"),
        ("dispatch_sync(q, ^() {});", "dispatch_sync(q,[]() {});"),
        ("dispatch_sync(q, ^{ f(); });", "dispatch_sync(q,[]{ f(); });"),
        ("g(^T*(M* m) { f(); });", "g([] (M* m) { f(); });"),
        ("a = b ^ (c) | d;", "a = b ^ (c) | d;"),
        ("typedef T* (^Block)(int);", "typedef T* (*Block)(int);"),
        ("for (N* n in list) {}", "for (N* n :  list) {}"),
        ("(__bridge id)x", "(         id)x"),
        ("@available(macOS 13, *)", "1                      "),
        ("é", "?"),
    ],
)
def test_mask(text: str, expected: str) -> None:
    assert masked(Code(text)) == expected


def test_places_of_the_tree_are_those_of_the_text() -> None:
    text = "// é ∂ 𝄞\nvoid f() {\n  [encoder setBuffer:b];\n}\nTORCH_IMPL_FUNC(g)(int a) {\n}\n"
    root = host_tree(text).root_node
    assert not root.has_error
    first, second = (node for node in root.children if node.type == "function_definition")
    assert text[first.start_byte : first.end_byte] == "void f() {\n  [encoder setBuffer:b];\n}"
    assert text[second.start_byte : second.end_byte] == "TORCH_IMPL_FUNC(g)(int a) {\n}"
