"""Write the manual's pages anew: `python -m tests.write_manual`."""

from pathlib import Path

from mkls.diagnostics.manual import page
from mkls.rules import KNOWN_RULES

MANUAL = Path(__file__).parents[1] / "mkls/manual"


def main() -> None:
    MANUAL.mkdir(exist_ok=True)
    for path in MANUAL.glob("*.md"):
        path.unlink()
    for rule in KNOWN_RULES:
        (MANUAL / f"{rule.code}.md").write_text(page(rule), encoding="utf-8")


if __name__ == "__main__":
    main()
