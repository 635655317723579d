"""Charts have round ticks that reach around the data, and draw what is finite."""

import math
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from evoter.analysis.html_pages import render
from evoter.analysis.report.charts import Line, make_chart, nice_ticks
from evoter.analysis.report.page import TITLES
from evoter.analysis.report.run_section import Learning
from pages import Page

NUMBERS = st.floats(-1e290, 1e290)


def drawn(lines: list[Line], x: str = "x", y: str = "y", title: str = "t", description: str = "d") -> str:
    """Return the chart as the report draws it; empty where there is nothing to draw."""
    chart = make_chart(lines, x=x, y=y, title=title, description=description)
    if chart is None:
        return ""
    section = render("report/run.html.j2", titles=TITLES, learning=Learning([chart], 1, None, None), front=None)
    return section[section.index("<svg") : section.index("</figure>")]


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
    svg = drawn([Line("a", [(0, 1.0), (1, math.nan), (2, -math.inf), (math.inf, 1.0), (3, 2.0)], "first")])
    assert not Page(svg).mistakes
    assert "nan" not in svg
    assert "inf" not in svg
    assert svg.count("L") == 1
    assert drawn([Line("a", [(0, math.nan)], "first")]) == ""


def test_a_single_point_is_a_dot() -> None:
    assert len(Page(drawn([Line("a", [(0, 0.5)], "first")])).all("circle")) == 1


def test_lines_have_a_legend_where_there_are_several() -> None:
    points = [(0.0, 1.0), (1.0, 2.0)]
    assert "legend" not in drawn([Line("a", points, "first")])
    svg = drawn([Line("<a>", points, "first"), Line("b", points, "second", joined=False)])
    assert "&lt;a&gt;</span>" in svg
    assert len(Page(svg).all("circle")) == 3, "two points, and one in the legend"


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=6))
def test_points_lie_within_the_axes(points: list[tuple[float, float]]) -> None:
    chart = make_chart([Line("a", points, "first", marked=True)], x="x", y="y", title="t", description="d")
    assert chart is not None
    for x, y in chart.drawings[0].dots:
        assert chart.left <= x <= chart.right
        assert chart.top <= y <= chart.bottom


def test_names_are_escaped() -> None:
    svg = drawn([Line("a", [(0, 1.0), (1, 2.0)], "first")], x="<b>", y="<i>", title="<t>", description="<d>")
    assert {tag for tag, _ in Page(svg).elements} == {"svg", "title", "desc", "path", "text"}
