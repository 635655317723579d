"""The neighbourhood of a case has its nearest rows, and more where the answer never changes."""

import numpy as np

from boxes import correlated
from evoter.distillation.neighbourhood import nearest_rows, number_ranges
from evoter.distillation.queries import Surroundings
from evoter.tables import encode, infer_schema

TABLE = correlated(400)
SCHEMA = infer_schema(TABLE, actions=["any"])
LINES = encode(TABLE, SCHEMA)


def test_the_nearest_rows_come_first_and_the_case_is_not_among_them() -> None:
    around = Surroundings(LINES, SCHEMA)
    near, widened = nearest_rows(around, 7, np.zeros(400, np.int64), 30)
    assert 7 not in near
    assert not widened
    distances = around.distances(np.array([7]), np.arange(400))[0]
    assert distances[near].max() <= np.delete(distances, [7, *near]).min() + 1e-9


def test_it_is_widened_until_answers_differ() -> None:
    around = Surroundings(LINES, SCHEMA)
    order, _ = nearest_rows(around, 7, np.zeros(400, np.int64), 399)
    codes = np.zeros(400, np.int64)
    codes[order[150:]] = 1
    near, widened = nearest_rows(around, 7, codes, None)
    assert widened
    assert len(near) == 200
    assert len(nearest_rows(around, 7, np.zeros(400, np.int64), None)[0]) == 399, "all, if it never changes"


def test_ranges_are_those_of_numbers() -> None:
    ranges = number_ranges(SCHEMA, LINES)
    assert list(ranges) == ["size", "weight", "age"]
    assert ranges["size"] == (TABLE["size"].min(), TABLE["size"].max())
