"""Changes as text: what would be different, in words and in a page."""

from evoter.rules.answers.changes import Change, Counterfactual, Counterfactuals
from evoter.rules.modes import Decision
from evoter.rules.schema import Feature, Kind


def test_a_change_says_both_values_with_their_unit() -> None:
    assert str(Change(Feature("age", unit="years"), 22.0, 25.0)) == "age 25 years instead of 22 years"
    assert str(Change(Feature("smoker", Kind.BOOLEAN), None, True)) == "smoker true instead of missing"


def test_a_page_escapes_names() -> None:
    change = Change(Feature("<i>age</i>"), 22.0, 25.0)
    found = Counterfactuals((Counterfactual((change,), Decision(("<b>",), 1.0, (0,), (0,)), {}),))
    assert "<i>" not in found._repr_html_()
    assert "<b>" not in found._repr_html_()
    assert found[0] is found[:1][0]


def test_nothing_found_is_said() -> None:
    assert "alters the decision" in str(Counterfactuals(()))
    assert str(Counterfactuals((), to="yes")) == "no change of the features that may change leads to yes"
    assert "several features at once" in str(Counterfactuals((), complete=False))
