"""Every rule of mkls, in the order of the documentation.

Invariant: rules never import each other and read no text; a need that two of them share becomes a
query in `mkls.index`. Guards: the import contracts, tests/test_tidy.py.
"""

from mkls.rules import (
    dispatch_on_delegate,
    duplicate_host_name,
    duplicate_operator,
    duplicate_stub_registration,
    malformed_entry,
    malformed_schema,
    missing_dtype_registration,
    missing_sibling_dispatch,
    misspelt_dtype_token,
    mixed_dispatch_group,
    orphan_implementation,
    stub_registered_for_cpu,
    swapped_dtype_order,
    undefined_dispatch_name,
    unknown_structured_delegate,
    unreachable_stub,
    unregistered_stub,
    unresolved_kernel_name,
    unsupported_dispatch_key,
)

RULES = (
    missing_sibling_dispatch.RULE,
    mixed_dispatch_group.RULE,
    dispatch_on_delegate.RULE,
    unsupported_dispatch_key.RULE,
    malformed_entry.RULE,
    malformed_schema.RULE,
    duplicate_operator.RULE,
    unknown_structured_delegate.RULE,
    undefined_dispatch_name.RULE,
    orphan_implementation.RULE,
    unregistered_stub.RULE,
    unreachable_stub.RULE,
    stub_registered_for_cpu.RULE,
    duplicate_stub_registration.RULE,
    unresolved_kernel_name.RULE,
    missing_dtype_registration.RULE,
    misspelt_dtype_token.RULE,
    swapped_dtype_order.RULE,
    duplicate_host_name.RULE,
)
