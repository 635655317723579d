"""Charts have round ticks that reach around the data, and draw what is finite."""

import math
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from evoter.analysis.report.charts import Line, chart, nice_ticks
from pages import Page

NUMBERS = st.floats(-1e290, 1e290)


@given(NUMBERS, NUMBERS, st.booleans())
def test_ticks_reach_around_the_data_in_even_steps(one: float, other: float, whole: bool) -> None:
    low, high = sorted((one, other))
    assume(high - low <= 1e-290 or high - low > 1e-6 * max(abs(low), abs(high)))
    ticks = nice_ticks(low, high, whole=whole)
    unseen = 1e-8 * max(ticks[-1] - ticks[0], abs(low), abs(high))
    assert ticks[0] <= low + unseen
    assert ticks[-1] >= high - unseen
    assert 2 <= len(ticks) <= 9
    steps = [after - before for before, after in pairwise(ticks)]
    assert all(math.isclose(step, steps[0], rel_tol=1e-5) for step in steps)


def test_what_is_not_finite_is_left_out() -> None:
    lines = [Line("a", [(0, 1.0), (1, math.nan), (2, -math.inf), (math.inf, 1.0), (3, 2.0)], "first")]
    drawn = chart(lines, x="x", y="y", title="t", description="d")
    assert not Page(drawn).mistakes
    assert "nan" not in drawn
    assert "inf" not in drawn
    assert drawn.count("L") == 1
    assert chart([Line("a", [(0, math.nan)], "first")], x="x", y="y", title="t", description="d") == ""


def test_a_single_point_is_a_dot() -> None:
    drawn = chart([Line("a", [(0, 0.5)], "first")], x="x", y="y", title="t", description="d")
    assert len(Page(drawn).all("circle")) == 1


def test_names_are_escaped() -> None:
    drawn = chart([Line("a", [(0, 1.0), (1, 2.0)], "first")], x="<b>", y="<i>", title="<t>", description="<d>")
    assert {tag for tag, _ in Page(drawn).elements} == {"svg", "title", "desc", "path", "text"}
