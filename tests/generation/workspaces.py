"""Whole workspaces in memory, their plans, and what a plan must keep."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from mkls.features.diagnostics import all_findings
from mkls.generation.add_mps import plan_mps
from mkls.generation.migrate import plan_migration
from mkls.generation.plan import Plan, Refusal, changed_texts
from mkls.generation.schema_functions import parameters_of_row, returned_type
from mkls.index.operators import MPS
from mkls.index.snapshot import Snapshot, Source, Workspace
from mkls.session.cpu_kernels import cpu_kernel_texts
from mkls.session.discovery import workspace_files
from mkls.session.disk import read_text
from mkls.session.state import source_of
from mkls.text.document import Document, Uri, language_of_text, uri_of
from tests.support.legacy_tree import YAML, legacy_files
from tests.support.trees import assemble_new_style_tree

Planner = Callable[[Snapshot, str, Sequence[str]], Plan | Refusal]
PLANNERS: dict[str, Planner] = {"migrate": plan_migration, "add-mps": plan_mps}


class Case(NamedTuple):
    """What a planner answers about an operator."""

    planner: str
    operator: str
    answer: Plan | Refusal


class Workshop(NamedTuple):
    """A workspace, and the texts of its CPU kernels."""

    snapshot: Snapshot
    workspace: Workspace
    cpu_sources: tuple[str, ...]

    def cases(self) -> Iterator[Case]:
        """Yield what every planner answers about every operator."""
        for name, planner in PLANNERS.items():
            for operator in self.snapshot.operators.by_base:
                answer = planner(self.snapshot, operator, self.cpu_sources)
                yield Case(name, operator, answer)

    def after(self, plan: Plan) -> Snapshot:
        """Return the workspace in which `plan` was carried out."""
        changed = {uri: read(uri, text) for uri, text in changed_texts(self.snapshot, plan).items()}
        sources = {**self.snapshot.sources, **changed}
        return Snapshot.of(sources.values(), self.workspace, self.snapshot.library)


def read(uri: Uri, text: str) -> Source:
    """Read one document."""
    language = language_of_text(uri, text)
    assert language, uri
    return source_of(Document(uri, language, text))


def claims(snapshot: Snapshot) -> Counter[tuple[str, str, str]]:
    """Count what `mkls check` finds, by file, rule and message."""
    uris = [uri for uri in snapshot.sources if uri not in snapshot.library]
    return Counter(
        (it.uri, it.rule.code, it.diagnostic.message) for it in all_findings(snapshot, uris)
    )


def workshop_of(root: Path, sources: list[Source], cpu_sources: tuple[str, ...]) -> Workshop:
    """Return the workspace of `sources`, compared with itself as the last commit."""
    workspace = Workspace.of(uri_of(str(root))).compared_with(sources)
    return Workshop(Snapshot.of(sources, workspace), workspace, cpu_sources)


def workshop_at(root: Path) -> Workshop:
    """Return the workspace that the folder `root` holds."""
    sources = [read(uri_of(path), read_text(path)) for path in workspace_files(root)
               if language_of_text(uri_of(path), read_text(path))]  # fmt: skip
    return workshop_of(root, sources, cpu_kernel_texts(root))


def new_style_workshop(folder: Path, pytorch_tree: Path, native_functions: Path) -> Workshop:
    """Return the YAML of 2.13 in a tree of the new style.

    The C++ sources are those of 2.6, which declare and call the stubs; MPS has a function of its
    own wherever the YAML says so, and files for unary, binary and ternary kernels.
    """
    root = folder / "new"
    assemble_new_style_tree(root)
    files = {
        uri_of(str(root / "c10/metal" / it.name)): it.read_text(encoding="utf-8")
        for it in (root / "c10/metal").glob("*.h")
    }
    for path in workspace_files(pytorch_tree):
        relative = Path(path).relative_to(pytorch_tree)
        is_host = relative.suffix in (".cpp", ".h") and "mps" not in relative.parts
        if is_host and "native" in relative.parts:
            files[uri_of(str(root / relative))] = read_text(path)
    files |= {uri_of(str(root / path)): text for path, text in legacy_files(()).items()}
    yaml = uri_of(str(root / YAML))
    files[yaml] = native_functions.read_text(encoding="utf-8")
    rows = Snapshot.of([read(yaml, files[yaml])]).operators.rows
    legacy = uri_of(str(root / "aten/src/ATen/native/mps/operations/LegacyOps.mm"))
    files[legacy] = _legacy_source(rows)
    sources = [read(uri, text) for uri, text in files.items() if language_of_text(uri, text)]
    return workshop_of(root, sources, cpu_kernel_texts(pytorch_tree))


def _legacy_source(rows) -> str:
    bodies: dict[str, str] = {}
    for row in rows:
        function = row.function(MPS)
        if function is None or not row.is_own_line() or function.symbol in bodies:
            continue
        symbol = function.symbol
        parameters = parameters_of_row(row, symint="_symint" in symbol)
        listed = ", ".join(f"{it.type} {it.name}" for it in parameters)
        head = f"TORCH_IMPL_FUNC({symbol})\n({listed})"
        if not row.entry.structured:
            head = f"{returned_type(row)} {symbol}({listed})"
        bodies[symbol] = f"{head} {{\n  run_graph();\n}}\n"
    functions = "\n".join(bodies.values())
    return (
        "#include <ATen/native/mps/OperationUtils.h>\n\nnamespace at::native {\n\n"
        f"static void run_graph();\n\n{functions}\n}} // namespace at::native\n"
    )
