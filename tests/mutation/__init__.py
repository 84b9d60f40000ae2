"""Rules proved by mutation: kinds of mistakes, drawn at random places of whole trees.

`rows` and `text` look at trees. The kinds, which know nothing about rules, are in `dispatch`,
`stubs`, `lookups`, `registrations`, `bindings`, `parameters`, `launches` and `bodies`; `kinds`
lists them. `tests.support.mutation` draws and judges.
"""
