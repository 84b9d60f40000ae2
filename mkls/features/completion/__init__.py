"""What may be typed at a place: one module for each kind of text."""
