"""Kernels in which threads wait for each other, run without a stack for each thread.

A kernel's code for one thread is cut at every place where it may wait. What lies between two cuts
is a phase: a loop runs it for all threads, and what lives across a cut goes to arrays with one
element for each thread. The cut is made in the optimised code, in LLVM's textual form, where every
barrier of every helper is inlined and every value has one definition; so it is the same for any
control flow, and the loops are vectorised like those of kernels that never wait.

Whatever this package does not know makes it raise `Unsplittable`: then the threads wait on fibers.
Guard: tests/emulator/test_phases_against_fibers.py compares both on generated kernels.
"""
