"""Which kernels may make a thread wait for others: those that reach a barrier or a lane exchange.

Names stand for everything that any declaration of that name mentions, so the answer may be yes
for a kernel that never waits, but never no for one that does.
"""

import re
from collections.abc import Iterable

from mkls.emulator.declarations import Declaration
from mkls.emulator.kernel_table import KernelEntry
from mkls.emulator.tokens import Tokens, is_identifier

_LANES = (
    r"(?:sum|product|min|max|and|or|xor|any|all|ballot|is_first|vote|active_threads_mask"
    r"|prefix_\w+|shuffle\w*|broadcast\w*|is_helper_thread)"
)
_WAITS = re.compile(
    rf"(?:(?:simd|quad)_{_LANES}|threadgroup_barrier|simdgroup_barrier|simdgroup_event"
    r"|simdgroup_(?:load|store|multiply\w*|async_copy|matrix|(?:float|half|bfloat)8x8)"
    r"|make_filled_simdgroup_matrix|mkls_\w+|os_log\w*)\Z"
)


class Reach:
    """What the names of a translation unit lead to."""

    def __init__(self, tokens: Tokens, all_declarations: Iterable[Declaration]) -> None:
        """Collect every name's mentions."""
        self._tokens = tokens
        self._mentions: dict[str, set[str]] = {}
        for declaration in all_declarations:
            if declaration.name < 0 or declaration.instantiation:
                continue
            name = tokens.texts[declaration.name]
            words = tokens.texts[declaration.head : declaration.last + 1]
            self._mentions.setdefault(name, set()).update(w for w in words if is_identifier(w))

    def may_wait(self, kernel: KernelEntry) -> bool:
        """Whether `kernel` may reach a barrier or an exchange between lanes."""
        declaration = kernel.declaration
        return self._leads_to_wait(self._tokens.texts[declaration.head : declaration.last + 1])

    def leads_to_wait(self, declaration: Declaration) -> bool:
        """Whether what `declaration` says may reach one."""
        return self._leads_to_wait(self._tokens.texts[declaration.head : declaration.last + 1])

    def _leads_to_wait(self, words: Iterable[str]) -> bool:
        todo = [word for word in words if is_identifier(word)]
        done: set[str] = set()
        while todo:
            word = todo.pop()
            if word in done:
                continue
            if _WAITS.match(word):
                return True
            done.add(word)
            todo.extend(self._mentions.get(word, ()))
        return False
