"""What mkls writes for people: MPS lines, stubs, kernels, migrations, new operators.

Invariant: a plan is a pure function of a snapshot and of texts handed to it; its edits are of the
snapshot's texts and do not overlap. Guard: tests/generation/test_plans.py.
"""
