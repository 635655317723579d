"""Who is both as accurate and as simple dominates."""

from hypothesis import given
from hypothesis import strategies as st

from evoter.experiments.trade_off import Point, dominating

points = st.builds(Point, st.floats(0, 100), st.floats(0, 1))


@given(points, points, points)
def test_domination_is_a_strict_order(a: Point, b: Point, c: Point) -> None:
    assert not a.dominates(a)
    assert not (a.dominates(b) and b.dominates(a))
    if a.dominates(b) and b.dominates(c):
        assert a.dominates(c)


def test_black_boxes_are_not_asked() -> None:
    found = {"evoter": Point(5, 0.9), "tree": Point(5, 0.95), "bayes": Point(3, 0.8), "forest": Point(1, 1)}
    assert dominating(found, ["tree", "bayes"]) == ["tree"]
    assert dominating({"tree": Point(5, 0.95)}, ["tree"]) == []
