"""Preprocessed Metal text → C++17 on the same lines, and the table of its kernels."""

from collections.abc import Collection, Iterator, Mapping

from mkls.emulator.attributes import blank_attributes
from mkls.emulator.declarations import declarations
from mkls.emulator.edits import Edit, EditedText, blank, newlines
from mkls.emulator.function_constants import Values, function_constants
from mkls.emulator.inlining import inlined_helpers
from mkls.emulator.kernel_table import KernelEntry, kernel_table
from mkls.emulator.literals import floating_literals
from mkls.emulator.lockstep import lockstep_loops
from mkls.emulator.overloads import duplicate_overloads
from mkls.emulator.pragmas import lost_macros
from mkls.emulator.static_conditions import static_conditions
from mkls.emulator.synchronisation import Reach
from mkls.emulator.threadgroup_variables import threadgroup_variables
from mkls.emulator.tokens import Tokens
from mkls.emulator.trampolines import Mode, mention, probe, trampoline


class TranslationUnit:
    """A preprocessed text, read once; `rewritten` makes the C++ for some of its kernels.

    `kernels` keeps source order; of two kernels with one host name the first counts, as in Metal,
    where the second is an error of the linker.
    """

    def __init__(self, text: str) -> None:
        """Read `text`, as `preprocess` returned it."""
        self.text = text
        self.tokens = Tokens(text)
        self._declarations = list(declarations(self.tokens))
        self._reach = Reach(self.tokens, self._declarations)
        table = kernel_table(self.tokens, self._declarations)
        self.kernels: dict[str, KernelEntry] = {}
        for kernel in table:
            self.kernels.setdefault(kernel.host_name, kernel)
        self._all_kernels = table
        self._modes: dict[str, Mode] = {}

    def numbers(self) -> dict[str, int]:
        """The number of every kernel, which its symbols carry."""
        return {name: number for number, name in enumerate(self.kernels)}

    def mode(self, host_name: str) -> Mode:
        """How this kernel's threads run in an unchecked build."""
        if host_name not in self._modes:
            waits = self._reach.may_wait(self.kernels[host_name])
            self._modes[host_name] = "phased" if waits else "independent"
        return self._modes[host_name]

    def rewritten(
        self,
        wanted: Collection[str],
        constants: Values,
        *,
        cooperative: bool = False,
        probes: bool = False,
    ) -> EditedText:
        """C++ with entries for the kernels in `wanted`; other instantiations are left out.

        With `cooperative`, all threads get a place where they can wait, as a checked build needs;
        with `probes`, there is also one thread of each kernel, for code that is only looked at.
        """
        modes: dict[str, Mode] = {
            name: "cooperative" if cooperative else self.mode(name) for name in wanted
        }
        numbers = self.numbers()
        entries = {
            name: trampoline(self.kernels[name], numbers[name], mode)
            + (probe(self.kernels[name], numbers[name]) if probes else "")
            for name, mode in modes.items()
        }
        return self._edited(entries, inline=not cooperative, constants=constants)

    def _edited(self, entries: Mapping[str, str], *, inline: bool, constants: Values) -> EditedText:
        duplicates = list(duplicate_overloads(self.tokens, self._declarations))
        gone = {edit.start for edit in duplicates}
        edits = [
            *(edit for edit in self._inline_helpers(needed=inline) if edit.start not in gone),
            *floating_literals(self.tokens),
            *blank_attributes(self.tokens),
            *threadgroup_variables(self.tokens),
            *function_constants(self.tokens, self._declarations, constants),
            *duplicates,
            *self._inline_kernels(),
            *self._coherence(),
            *lockstep_loops(self.tokens),
            *lost_macros(self.tokens),
            *static_conditions(self.tokens, self._declarations),
            *self._entries(entries),
        ]
        return EditedText(self.text, edits)

    def mentioned(self) -> EditedText:
        """C++ that only mentions each kernel, so that all of them are looked at."""
        entries = {
            name: mention(kernel, number)
            for number, (name, kernel) in enumerate(self.kernels.items())
        }
        return self._edited(entries, inline=False, constants={})

    def _inline_helpers(self, *, needed: bool) -> Iterator[Edit]:
        if needed:
            yield from inlined_helpers(self.tokens, self._declarations, self._reach)

    def _inline_kernels(self) -> Iterator[Edit]:
        """Kernels are emitted only where an entry calls them."""
        for index, text in enumerate(self.tokens.texts):
            if text == "kernel" and self.tokens.texts[index - 1] != "[":
                start = self.tokens.starts[index]
                yield Edit(start, start + len(text), "inline")

    def _coherence(self) -> Iterator[Edit]:
        """`coherent` and `coherent(device)` say nothing to a CPU."""
        for index, text in enumerate(self.tokens.texts):
            if text == "coherent":
                bracket = self.tokens.texts[index + 1 : index + 2] == ["("]
                last = self.tokens.close(index + 1) if bracket else index
                start, end = self.tokens.starts[index], self.tokens.end(last)
                yield Edit(start, end, blank(self.text[start:end]))

    def _entries(self, entries: Mapping[str, str]) -> Iterator[Edit]:
        for kernel in self._all_kernels:
            declaration = kernel.declaration
            start = self.tokens.starts[declaration.first]
            end = self.tokens.end(declaration.last)
            name = kernel.host_name
            text = entries.get(name, "") if self.kernels[name] is kernel else ""
            if declaration.instantiation:
                yield Edit(start, end, text + newlines(self.text[start:end]))
            elif text:
                yield Edit(end, end, text)
