"""The Metal library's semantics, function by function, against exact arithmetic."""
