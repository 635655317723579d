"""The picture of an audit has a point with its interval for every group and rate."""

import numpy as np
import pandas as pd
import pytest

import evoter
from evoter import DisparityDisplay

plt = pytest.importorskip("matplotlib.pyplot")

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame({"x": RNG.normal(size=120), "sex": np.repeat(["f", "m", "x"], [60, 50, 10])})
LABELS = RNG.choice(["no", "yes"], 120)
RULES = evoter.parse("x > 0 -> yes; Default -> no")


@pytest.fixture(autouse=True)
def _close() -> object:
    yield
    plt.close("all")


def test_all_groups_and_rates_are_drawn() -> None:
    audit = evoter.audit(RULES, TABLE, LABELS, protected="sex", favourable="yes")
    display = DisparityDisplay.from_audit(audit)
    assert len(display.axes_) == 5
    assert [label.get_text() for label in display.axes_[0].get_yticklabels()] == [
        "f (60 rows)", "m (50 rows)", "x (10 rows)",
    ]  # fmt: skip
    points = [line for line in display.axes_[0].lines if line.get_marker() == "o"]
    shares = [group.rates["selection_rate"].value for group in audit.column().groups]
    assert [line.get_xdata()[0] for line in points] == shares
    assert [line.get_markerfacecolor() == "white" for line in points] == [False, False, True]
    display.figure_.canvas.draw()


def test_axes_and_rates_can_be_chosen() -> None:
    _, axes = plt.subplots(1, 2)
    audit = evoter.audit(RULES, TABLE, LABELS, protected="sex", favourable="yes")
    display = DisparityDisplay.from_audit(audit, rates=["selection_rate", "precision"], ax=axes)
    assert display.figure_ is axes[0].figure
    with pytest.raises(ValueError, match="there are 2 axes for 1 rates"):
        DisparityDisplay.from_audit(audit, rates=["precision"], ax=axes)
    with pytest.raises(ValueError, match="there is no rate 'precison'; did you mean 'precision'"):
        DisparityDisplay.from_audit(audit, rates=["precison"])
    one = DisparityDisplay.from_estimator(RULES, TABLE, protected="sex", ax=plt.figure().gca())
    assert one.rates == ("selection_rate",)
