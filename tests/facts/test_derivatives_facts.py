"""Which operators have derivatives, and what these call."""

from mkls.facts.derivatives import derivatives_facts

TEXT = """# Formulas
- name: ripple.step(Tensor self, int step) -> Tensor
  self: at::surge(grad, step) + swell_symint(grad.sum()) * surge(grad)
  # tidal(grad) was wrong
  output_differentiability: [True]

- name: surge(Tensor self) -> Tensor
  dispatch:
    Default:
      self: not_implemented("surge")
"""


def test_each_entry_has_the_calls_of_its_formulas():
    found = {it.operator.text: [call.text for call in it.calls] for it in _derivatives()}

    assert found == {
        "ripple.step": ["surge", "swell_symint", "sum"],
        "surge": ["not_implemented"],
    }


def test_places_count_from_the_start_of_the_file():
    for it in _derivatives():
        assert it.operator.span.of(TEXT) == it.operator.text
        assert all(call.span.of(TEXT) == call.text for call in it.calls)


def test_every_entry_of_pytorch_is_read(pytorch_tree):
    text = (pytorch_tree / "tools/autograd/derivatives.yaml").read_text(encoding="utf-8")
    found = derivatives_facts(text).derivatives

    assert len(found) == text.count("\n- name:") > 600
    calls = {it.operator.text: {call.text for call in it.calls} for it in found}
    assert "glu_backward" in calls["glu"]


def _derivatives():
    return derivatives_facts(TEXT).derivatives
