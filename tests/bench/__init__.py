"""The benchmark: `python -m tests.bench` prints each figure beside its budget, from one run."""
