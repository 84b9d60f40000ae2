"""Words around numbers."""


def counted(number: int, noun: str) -> str:
    """Return `number` with `noun` in the right number: `1 file`, `2 files`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
