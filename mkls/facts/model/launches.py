"""What a host function binds and launches, in the order in which it does so."""

from enum import Enum

import msgspec

from mkls.facts.model.name import Name
from mkls.text.span import Span


class ValueKind(Enum):
    """What a bound expression is, as far as the function that binds it tells."""

    UNKNOWN = "unknown"
    TENSOR = "tensor"
    OPTIONAL = "optional"
    """`std::optional<Tensor>`: perhaps nothing."""
    OPERAND = "operand"
    """A tensor of an iterator: perhaps a number that lives on the CPU."""
    BUFFER = "buffer"
    """A Metal buffer."""
    SCALAR = "scalar"
    ARRAY = "array"
    """`count` elements; 0 when only running the code tells how many."""
    BYTES = "bytes"
    """Some value by its bytes: a struct, an `MPSScalar`, a number of unknown type."""


class ValueType(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The type of a bound value; `element` is the C++ type of a number, or of an array's."""

    kind: ValueKind = ValueKind.UNKNOWN
    element: str = ""
    count: int = 1


class EventKind(Enum):
    """What happens on a command encoder."""

    PIPELINE = "pipeline"
    """The pipeline in the variable `name` is set."""
    BIND = "bind"
    SKIPPED = "skipped"
    """What an `if` without `else` binds, on the path that leaves it out."""
    BIND_FIRST = "bind-first"
    """Buffers from number 0 on; only running the code tells how many."""
    HANDED = "handed"
    """The encoder is handed to function `name`, which may do anything."""
    MEMORY = "memory"
    """Threadgroup memory number `index` gets a length."""
    DISPATCH = "dispatch"


class Event(msgspec.Struct, frozen=True, array_like=True):
    """One thing that happens on the encoder in variable `encoder`.

    `name` is the expression that is bound, the variable of the pipeline, or the function called.
    `span` is the whole call. `index` is the buffer's number. `pipeline`, `grid` and `group` are a
    dispatch's: the variable of its pipeline ("" when the call names none), what it launches, and
    the threads of a group, 0 where they are no literals.
    """

    kind: EventKind
    encoder: str
    name: Name
    span: Span
    index: int = -1
    type: ValueType = ValueType()
    by_bytes: bool = False
    """Whether the call copies bytes, whatever it is given."""
    by_iterator: bool = False
    """Whether an iterator's own pointers are bound."""
    pipeline: str = ""
    grid: tuple[Name, ...] = ()
    group: tuple[int, ...] = ()
    group_span: Span = Span(0, 0)
    count_span: Span | None = None
    """Of a bound `std::array<T, N>` variable, where N is written."""
    elements: Name | None = None
    """Of a grid, the extent that counts a tensor's elements: `out.numel()`, or a local for it."""


class Assignment(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The variable of a pipeline is given the value at `span`."""

    variable: str
    span: Span


class EncoderFetch(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`stream->commandEncoder()`; `block` is the first block of the function on the queue.

    `block` is None where the function has no such block. `statement` is the whole line, when it
    declares a variable and nothing else.
    """

    span: Span
    on_queue: bool
    block: Span | None
    statement: Span | None
    block_start: int


class RawBuffer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`setBuffer:getMTLBufferStorage(tensor) offset:0`; `is_fresh`: the tensor was just made."""

    tensor: str
    span: Span
    """The offset."""
    is_fresh: bool


class Launches(msgspec.Struct, frozen=True, array_like=True):
    """What a function binds and launches.

    `paths` are the straight paths through its `if`s, each the indices of its events; empty where
    there are too many of them.
    """

    events: tuple[Event, ...] = ()
    paths: tuple[tuple[int, ...], ...] = ()
    assignments: tuple[Assignment, ...] = ()
    fetches: tuple[EncoderFetch, ...] = ()
    private_encoders: tuple[Name, ...] = ()
    """Messages that make an encoder or end one."""
    made_encoders: tuple[Name, ...] = ()
    """Of these, whole messages to a stream's command buffer, each named after the stream."""
    raw_buffers: tuple[RawBuffer, ...] = ()
    base_pointers: tuple[Name, ...] = ()
    """`storage().data()` that is handed to Metal: what is bound does not start at the tensor."""
    plain_blocks: tuple[Name, ...] = ()
    """`dispatch_sync`, which loses exceptions."""
    narrowed: tuple[Name, ...] = ()
    """`t.numel()` that initialises a variable of 32 bits."""
    splits: bool = False
    """Whether it asks an iterator for parts that fit 32 bits."""
    minds_width: bool = False
    """Whether it asks how wide an index must be."""
    minds_empty: bool = False
    """Whether it asks if there is anything to do."""
