"""What the bodies of a Metal document's functions do that rules speak of."""

import msgspec

from mkls.text.span import Span


class BodyPlace(msgspec.Struct, frozen=True, array_like=True):
    """A place in a function's body or head.

    `name` is the word that matters there, `other` a second one (each field of `MetalBodies` says
    which), `within` the function or the struct. `edit` is what to replace by `new_text` as a cure,
    None where none is known.
    """

    span: Span
    name: str = ""
    other: str = ""
    within: str = ""
    edit: Span | None = None
    new_text: str = ""


class MetalBodies(msgspec.Struct, frozen=True, array_like=True):
    """What functions do, each kind in source order.

    - `extremes`: Metal's `min`, `max` or `clamp` (`name`) of floating values in a function that is
      about extremes; `other` is the functor's operator, empty unless any dtype is let through.
    - `float_detours`: a conversion to float in what an overload for integers returns as integer.
    - `loose_bounds`: a `>` that lets the first index (`name`) beyond the bound (`other`) pass.
    - `reports`: `TORCH_REPORT_ERROR` after which the function goes on.
    - `doubles`: the type `double`.
    - `modern_syntax`: what Metal 3 does not have (`name`).
    - `floating_conditions`: `is_floating_point_v` as the condition of an overload of `within`.
    - `unqualified_pointers`: a parameter (`name`) that is a pointer or reference (`other`) of no
      address space.
    - `mixed_spaces`: an address space (`name`) of a pointer made from one of `other`.
    - `quotient_remainders`: `(a / b) % c`.
    - `narrow_products`: a product of sizes that initialises 32 bits (`name`) used as an offset.
    - `trusted_indices`: an index (`name`) read from a buffer (`other`) and used without a check.
    - `late_barriers`: a barrier that threads which returned earlier never reach.
    - `unfenced_reads`: a read of threadgroup memory (`name`) written since the last barrier.
    - `bfloat_functions`: the type `bfloat` in the head of a function; `edit` is the whole function.
    - `partial_switches`: a `switch` over dtypes without `default`.
    """

    extremes: tuple[BodyPlace, ...] = ()
    float_detours: tuple[BodyPlace, ...] = ()
    loose_bounds: tuple[BodyPlace, ...] = ()
    reports: tuple[BodyPlace, ...] = ()
    doubles: tuple[BodyPlace, ...] = ()
    modern_syntax: tuple[BodyPlace, ...] = ()
    floating_conditions: tuple[BodyPlace, ...] = ()
    unqualified_pointers: tuple[BodyPlace, ...] = ()
    mixed_spaces: tuple[BodyPlace, ...] = ()
    quotient_remainders: tuple[BodyPlace, ...] = ()
    narrow_products: tuple[BodyPlace, ...] = ()
    trusted_indices: tuple[BodyPlace, ...] = ()
    late_barriers: tuple[BodyPlace, ...] = ()
    unfenced_reads: tuple[BodyPlace, ...] = ()
    bfloat_functions: tuple[BodyPlace, ...] = ()
    partial_switches: tuple[BodyPlace, ...] = ()
