"""The language server: the only package that knows the protocol.

Invariants: every request is convert, call, convert back; one event loop alone changes the sessions,
so nothing needs a lock; no message and no exception of a handler ends the server. Guards: the
import contracts, and `tests/server`.
"""
