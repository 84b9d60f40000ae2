"""Write the TextMate grammars anew: `python -m tests.write_grammars`."""

import json
from pathlib import Path

from tests.grammars.textmate import grammars

FOLDER = Path(__file__).parents[1] / "grammars/textmate"


def texts() -> dict[Path, str]:
    """Return what each file of the folder should hold."""
    return {
        FOLDER / f"{name}.tmLanguage.json": json.dumps(grammar, indent=2, ensure_ascii=False) + "\n"
        for name, grammar in grammars().items()
    }


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, text in texts().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
