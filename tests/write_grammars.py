"""Write what colours Metal in editors anew: `python -m tests.write_grammars`."""

import json
from pathlib import Path

from tests.grammars.textmate import grammars
from tests.grammars.tree_sitter_queries import highlights, keywords
from tests.grammars.vim_syntax import vim_syntax

REPOSITORY = Path(__file__).parents[1]
FOLDER = REPOSITORY / "grammars/textmate"


def texts() -> dict[Path, str]:
    """Return what each file should hold."""
    textmate = {
        FOLDER / f"{name}.tmLanguage.json": json.dumps(grammar, indent=2, ensure_ascii=False) + "\n"
        for name, grammar in grammars().items()
    }
    tree_sitter = REPOSITORY / "grammars/tree-sitter-metal"
    return {
        **textmate,
        REPOSITORY / "editors/nvim/syntax/metal.vim": vim_syntax(),
        REPOSITORY / "editors/nvim/queries/metal/highlights.scm": highlights(),
        tree_sitter / "keywords.json": keywords(),
        tree_sitter / "queries/highlights.scm": highlights(),
    }


def main() -> None:
    for path, text in texts().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
