"""Names in a plot: each beside its point, and over nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from evoter.analysis.displays.label_placement import Box, place_labels


@given(
    st.lists(st.tuples(st.floats(100, 300), st.floats(100, 300)), min_size=1, max_size=6),
    st.tuples(st.floats(10, 60), st.floats(6, 14)),
)
def test_names_do_not_cover_each_other(points: list[tuple[float, float]], size: tuple[float, float]) -> None:
    boxes = [box for box, _ in place_labels(points, [size] * len(points), Box(0, 0, 500, 500))]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])


def test_a_name_stands_to_the_right_of_its_point_if_it_can() -> None:
    ((box, led),) = place_labels([(50, 50)], [(40, 10)], Box(0, 0, 200, 200))
    assert (box.left, (box.bottom + box.top) / 2, led) == (62, 50, False)


def test_a_name_goes_round_what_is_in_its_way() -> None:
    wall = Box(60, 0, 70, 200)
    ((box, _),) = place_labels([(50, 50)], [(40, 10)], Box(0, 0, 200, 200), [wall])
    assert not box.overlaps(wall)
    assert box.within(Box(0, 0, 200, 200))


def test_a_name_that_fits_nowhere_stands_to_the_right() -> None:
    ((box, led),) = place_labels([(50, 50)], [(40, 10)], Box(0, 0, 10, 10))
    assert (box.left, led) == (62, False)
