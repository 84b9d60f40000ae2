"""How to run one kernel: each plan yields cases, each case what to bind and how to judge it."""
