"""Regular expressions for the lexical parts that several modules skip or blank.

Each matches in one way only, so that no text makes matching slow.
"""

from typing import Final

LINE_COMMENT: Final = r"//(?:[^\n\\]|\\(?:\r\n|[\s\S]))*"
BLOCK_COMMENT: Final = r"/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z)"
STRING: Final = r'"(?:[^"\\\n]|\\[\s\S])*"'
CONTINUATION: Final = r"\\\r?\n"
