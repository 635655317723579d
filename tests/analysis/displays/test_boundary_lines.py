"""The lines of conditions: along them a condition turns, and where it cannot matter there is none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.analysis.displays.boundary_lines import Line, condition_lines
from evoter.analysis.displays.plane import make_plane
from evoter.rules.parser import parse

pytest.importorskip("contourpy")
LEGEND = "where x: numeric [0..4], scaled; y: numeric [0..2], scaled; z: numeric [0..1]; c: one of red | blue; actions: a | b"


def lines(text: str, features: tuple[str, str] = ("x", "y"), n_cells: int = 100) -> dict[tuple[int, int], Line]:
    rules = parse(f"{text}; Default -> b; {LEGEND}")
    plane = make_plane(rules.schema, features, n_cells=n_cells)
    return {(line.rule, line.condition): line for line in condition_lines(rules, plane)}


def test_a_threshold_is_a_straight_line_across_the_plane() -> None:
    (piece,) = lines("x > 3 -> a")[1, 1].pieces
    np.testing.assert_allclose(piece[:, 0], 3.0)
    assert np.ptp(piece[:, 1]) == pytest.approx(2.0, abs=0.03)


@given(st.floats(0.2, 2.0), st.integers(1, 3), st.floats(0.2, 2.0), st.integers(1, 3))
def test_along_the_line_of_a_comparison_both_sides_are_equal(a: float, p: int, b: float, q: int) -> None:
    """Scaled features are read scaled: x / 4 and y / 2."""
    for line in lines(f"{a!r}*x^{p} < {b!r}*y^{q} -> a", n_cells=200).values():
        for piece in line.pieces:
            inner = piece[(piece > 0.2).all(axis=1)]  # near 0, powers are flat and straight pieces differ from them
            np.testing.assert_allclose(a * (inner[:, 0] / 4) ** p, b * (inner[:, 1] / 2) ** q, rtol=0.02, atol=1e-3)


def test_along_the_line_of_a_sum_it_equals_its_constant() -> None:
    """Features are read raw, even if comparisons scale them."""
    (piece,) = lines("x + 1.5*y <= 3.7 -> a")[1, 1].pieces
    np.testing.assert_allclose(piece[:, 0] + 1.5 * piece[:, 1], 3.7)
    assert np.ptp(piece[:, 0]) == pytest.approx(3.0, abs=0.05)


def test_numbers_beyond_all_doubles_have_no_line_and_no_warning() -> None:
    rules = parse("x + y > 0 -> a; Default -> b; where x: numeric [0..1e308]; y: numeric [0..1.7e308]; actions: a | b")
    assert not list(condition_lines(rules, make_plane(rules.schema, ("x", "y"), n_cells=20)))


def test_a_line_ends_where_another_condition_of_the_rule_fails() -> None:
    both = lines("x > 3 AND y > 1 -> a")
    assert both[1, 1].pieces[0][:, 1].min() == pytest.approx(1.0, abs=0.03)
    assert both[1, 2].pieces[0][:, 0].min() == pytest.approx(3.0, abs=0.05)


def test_in_mode_first_a_line_ends_where_an_earlier_rule_decides() -> None:
    text = "x > 3 -> a; y > 1 -> b"
    assert lines(text)[2, 1].pieces[0][:, 0].max() == pytest.approx(3.0, abs=0.05)
    rules = parse(f"{text}; Default -> b; {LEGEND}; decide: vote")
    plane = make_plane(rules.schema, ("x", "y"))
    longest = {line.rule: line.pieces[0][:, 0].max() for line in condition_lines(rules, plane)}
    assert longest[2] == pytest.approx(4.0, abs=0.05), "in mode vote both rules have a say there"


def test_conditions_that_do_not_change_on_the_plane_have_no_line() -> None:
    assert not lines("z > 0.1 AND c = red AND x is present -> a")
    assert not lines("x > 3 AND z > 0.9 -> a"), "z is held at 0.5, so the rule never holds"
    assert list(lines("x > 3 AND z > 0.1 -> a")) == [(1, 1)]


@pytest.mark.parametrize("features", [("x", "c"), ("c", "x")])
def test_beside_a_category_each_value_has_its_own_piece(features: tuple[str, str]) -> None:
    found = lines("x > 3 AND c = red -> a; x > 1 -> a", features)
    place = features.index("x")
    (red,) = found[1, 1].pieces
    assert red[:, place].tolist() == pytest.approx([3.0, 3.0])
    assert red[:, 1 - place].tolist() == [-0.5, 0.5]
    assert [piece[0, place] for piece in found[2, 1].pieces] == pytest.approx([1.0, 1.0])


def test_two_categories_have_no_lines() -> None:
    legend = "where x: numeric [0..1]; c: one of red | blue; d: yes/no; actions: a | b"
    rules = parse(f"x > 0.5 AND c = red AND d = true -> a; Default -> b; {legend}")
    assert not list(condition_lines(rules, make_plane(rules.schema, ("c", "d"))))
