"""What a registered kernel is made with."""

from collections.abc import Iterator

from mkls.features.targets import Found, of_place
from mkls.index.inline_shaders import real_place
from mkls.index.kernels_link import Kernel
from mkls.index.snapshot import Snapshot


def functors_of(snapshot: Snapshot, kernel: Kernel) -> Iterator[Found]:
    """Yield the functors that the registration of `kernel` names, or pastes the names of."""
    indexes = (snapshot.kernels, snapshot.inline_kernels, snapshot.python_kernels)
    unit = next((it.units[kernel.unit] for it in indexes if kernel.unit in it.units), None)
    for argument in (*kernel.macro_arguments, *kernel.template_arguments):
        for name in (argument, f"{argument}_functor"):
            if unit and (functor := unit.functors.get(name)):
                yield of_place(real_place(functor.uri, functor.span))
