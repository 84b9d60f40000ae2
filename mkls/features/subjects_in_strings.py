"""What the cursor is on in a Metal source that a string holds."""

import msgspec

from mkls.features.strings import InString
from mkls.features.subjects import Subject
from mkls.features.subjects_of_metal import metal_subject
from mkls.index.inline_shaders import real_place
from mkls.index.snapshot import Snapshot


def string_subject(snapshot: Snapshot, inside: InString) -> Subject | None:
    """Return what stands at a place of a Metal source in a string."""
    shader, offset = inside
    index = snapshot.kernels_of_shader(shader)
    found = metal_subject(index, shader.uri, shader.text, offset)
    if found is None:
        return None
    return msgspec.structs.replace(found, span=real_place(shader.uri, found.span).span)
