"""The manual: one page a rule, made from its docstring; the pages lie in `mkls/manual`."""

from mkls.diagnostics.model import Rule


def page(rule: Rule) -> str:
    """Return the manual's page about `rule`, in Markdown."""
    default = "on by default" if rule.default else "off by default"
    head = f"# {rule.code}\n\n*{rule.group.value} · {rule.severity.value} · {default}*\n\n"
    return f"{head}{rule.page}\n"
