"""Single columns: their kind, their numbers and their distinct values."""

import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from evoter.rules.errors import SchemaError
from evoter.rules.schema import Feature, Kind
from evoter.tables.columns import Column, distinct, kind_of, read_numbers

CATEGORICAL = Feature("c", Kind.CATEGORICAL, categories=("a",))
NUMERIC = Feature("c")


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (np.array([1.0]), Kind.NUMERIC),
        (np.array([1], dtype=np.uint8), Kind.NUMERIC),
        (np.array([True]), Kind.BOOLEAN),
        ([None, 1, 2.5, Decimal(1), Fraction(1, 2), np.float32(1)], Kind.NUMERIC),
        ([None, True, np.False_], Kind.BOOLEAN),
        ([float("nan"), "a", np.str_("b")], Kind.CATEGORICAL),
        ([None, float("nan"), pd.NA, pd.NaT], None),
        ([], None),
    ],
)
def test_kinds(cells: Any, kind: Kind | None) -> None:
    assert kind_of(Column("c", cells)) is kind


def test_the_type_knows_better_than_the_cells() -> None:
    assert kind_of(Column("c", [1, None], Kind.CATEGORICAL)) is Kind.CATEGORICAL


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([1, None, "a"], "mixes numeric and categorical values, such as 1 and 'a'"),
        ([1.5, True], "mixes numeric and boolean values, such as 1.5 and True"),
        ([datetime.timedelta(1)], "holds dates or times"),
        ([object], "holds the type <class 'object'>"),
        ([1j], "holds the complex 1j"),
    ],
)
def test_what_has_no_kind(cells: list[Any], message: str) -> None:
    with pytest.raises(SchemaError, match=f"the column 'c' {message}"):
        kind_of(Column("c", cells))


def test_distinct_values_of_equal_hash_stay_apart() -> None:
    readings, codes = distinct(Column("c", [1, True, "a", 1.0, None, "a"]), CATEGORICAL)
    assert [readings[code] for code in codes] == ["1", "true", "a", "1", None, "a"]


def test_distinct_numbers_are_in_order() -> None:
    readings, codes = distinct(Column("c", np.array([10.0, 9.0, np.nan, 10.0, np.nan])), CATEGORICAL)
    assert readings == ["9", "10", None]
    assert codes.tolist() == [1, 0, 2, 1, 2]


def test_large_whole_numbers_stay_apart() -> None:
    readings, _ = distinct(Column("c", np.array([2**60, 2**60 + 1])), CATEGORICAL)
    assert readings == [str(2**60), str(2**60 + 1)]


def test_numbers() -> None:
    for cells in ([1, None, 2.5], [Decimal(1), pd.NA, np.float64(2.5)], [np.array(1), None, 2.5]):
        np.testing.assert_array_equal(read_numbers(Column("c", cells), NUMERIC), [1, np.nan, 2.5])


def test_a_number_beyond_all_floats_is_refused_by_name() -> None:
    with pytest.raises(
        SchemaError, match="row 1 of the column 'c': the feature 'c' is numeric and takes a number, not int 1000"
    ):
        read_numbers(Column("c", [1, 10**400]), NUMERIC)
