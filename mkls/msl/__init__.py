"""The Metal standard library for clang, off the Mac.

`include/` holds `<metal_stdlib>` and the headers it gathers, under the specification's names, as
freestanding C++17: no libc, no libc++. The parts that several headers share are in `include/mkls/`.
Vectors are class templates whose selections (`v.xy`) are clang properties; `half` is `_Float16`;
`bfloat` is a class. `sinf`, `powf` and their like are called as compiler builtins, which the
emulator's runtime links; all else is computed in the headers.

Invariant: a program means here what the Metal Shading Language Specification says, in the corners
too: saturating conversions, NaNs in `min` and `clamp`, shift counts past the width, division by
zero. Guard: `tests/msl`, which compares every function for every type with exact arithmetic.

Invariant: no operator function is visible to ordinary lookup; all are friends. Otherwise clang
takes `v.xy * s` in a template for a call on a property that has no type yet. Guard: the templates
in `tests/msl/programs/selections_take_part_in_expressions.cc`.

The headers count on these options: `-fdeclspec -fsigned-char -fwrapv -fno-math-errno
-fno-strict-float-cast-overflow -ffp-contract=off -Xclang -cl-single-precision-constant -Xclang
-ffloat16-excess-precision=none`.
"""
