"""The picture of repairs has what they achieve, with intervals."""

import numpy as np
import pandas as pd
import pytest

import evoter
from evoter import RepairDisplay

plt = pytest.importorskip("matplotlib.pyplot")


def test_options_are_drawn_where_they_are() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(size=200), "b": rng.normal(size=200), "sex": rng.choice(["f", "m"], 200)})
    labels = np.where(table["a"] > 0, "yes", "no")
    rules = evoter.parse("a > 0 -> yes; b > 0 -> yes; Default -> no")
    found = evoter.repair(
        rules, (table[:100], labels[:100]), (table[100:], labels[100:]), protected="sex", ways=["rules"]
    )
    for rows in ("unseen", "training"):
        display = RepairDisplay.from_repairs(found, rows=rows)
        drawn = [line.get_xydata()[0].tolist() for line in display.ax_.lines if line.get_marker() in ("o", "s", "^")]
        assert drawn == display.points(found.options).tolist()
        assert {"as it is", "without rule 1"} <= {text.get_text() for text in display.ax_.get_legend().get_texts()}
        display.figure_.canvas.draw()
    assert display.points(found.options)[0, 1] == found[0].train.accuracy.value
    with pytest.raises(ValueError, match="rows must be"):
        RepairDisplay.from_repairs(found, rows="all")
    plt.close("all")
