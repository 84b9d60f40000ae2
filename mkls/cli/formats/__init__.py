"""Output formats of `mkls check`: each module has `render(report) -> str`."""
