"""What grammars are made from, and tests of what is made."""
