"""Rows are divided into groups as they are, whatever a protected column holds."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.errors import SchemaError
from evoter.tables.groups import MAX_GROUPS, MISSING, Groups, group_rows, intersect, read_groups, read_protected


def named(groups: Groups) -> list[str]:
    """Return the name of the group of each row."""
    return [groups.names[code] for code in groups.codes.tolist()]


def test_numbers_become_quartiles_and_rare_categories_are_taken_together() -> None:
    assert group_rows("age", [*range(100), None]).names == ("0 to 24", "25 to 49", "50 to 74", "75 to 99", MISSING)
    assert named(group_rows("grade", [1, 2, 2, 1])) == ["1", "2", "2", "1"]
    many = group_rows("code", [f"c{n}" for n in range(30)] + ["c0"])
    assert len(many.names) == MAX_GROUPS
    assert many.names[-1] == "(19 others)"
    assert named(group_rows("flag", [True, False, 1])) == ["true", "false", "1"]
    assert group_rows("income", np.arange(9) * 10_000.0).names[-1] == "70,000 to 80,000"


@pytest.mark.parametrize("library", [list, np.array, pd.Series, pl.Series])
def test_all_libraries_give_the_same_groups(library: type) -> None:
    assert named(group_rows("age", library([1.0, 60.0, 59.9, float("nan")]), [60])) == [
        "under 60", "60 and over", "under 60", MISSING,
    ]  # fmt: skip
    assert named(group_rows("sex", library(["f", "m", "f"]))) == ["f", "m", "f"]


def test_bands_are_as_wanted() -> None:
    ages = [17, 18, 64, 65, 80]
    assert named(group_rows("age", ages, [18, 65])) == [
        "under 18", "18 to under 65", "18 to under 65", "65 and over", "65 and over",
    ]  # fmt: skip
    assert group_rows("age", list(range(10)), 2).names == ("0 to 4", "5 to 9")
    assert group_rows("age", ages, 2).names == ("17 to 64", "65 to 80")


@given(st.lists(st.floats(-1e6, 1e6) | st.none(), min_size=1, max_size=40), st.integers(2, 6))
def test_every_row_has_one_group_and_no_group_is_empty(values: list[float | None], n_bands: int) -> None:
    for bands in (None, n_bands, [-10.0, 0.5, 300.0]):
        groups = group_rows("x", values, bands)
        assert len(groups.codes) == len(values)
        assert (groups.sizes > 0).all()
        assert len(set(groups.names)) == len(groups.names) or bands != [-10.0, 0.5, 300.0]
        assert [value is None for value in values] == [name == MISSING for name in named(groups)]


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=1, max_size=30))
def test_intersections_refine_their_columns(rows: list[tuple[str, str]]) -> None:
    first, second = (group_rows(name, [row[k] for row in rows]) for k, name in enumerate(("first", "second")))
    both = intersect([first, second])
    assert named(both) == [f"{one} & {other}" for one, other in rows]
    assert sorted(set(named(both))) == sorted(both.names)


def test_values_come_from_the_table_or_are_given() -> None:
    frame = pd.DataFrame({"sex": ["f", "m"], "x": [1.0, 2.0]})
    assert list(read_protected("sex", frame)["sex"]) == ["f", "m"]
    assert list(read_protected(frame[["sex"]], None)) == ["sex"]
    assert read_protected(frame["sex"], None) == {"sex": ["f", "m"]}
    assert read_protected(None, frame) == {}


@pytest.mark.parametrize(
    ("protected", "bands", "message"),
    [
        ("sxe", None, "the rows have no column 'sxe'; did you mean 'sex'"),
        ([], None, "protected names no column"),
        ({"sex": ["f"]}, None, "'sex' has 1 values for 2 rows"),
        ("sex", {"age": [3]}, "bands: 'age' is not a protected column"),
        ("sex", [3], "'sex' does not hold numbers only"),
        ("age", 1, "bands of 'age' must be 2 or more"),
        ("age", [3, 1], "bands of 'age' must begin at one or more ascending numbers"),
    ],
)
def test_what_cannot_be_grouped_is_refused(protected: object, bands: object, message: str) -> None:
    rows = [{"sex": "f", "age": 3}, {"sex": "m", "age": 4}]
    with pytest.raises(SchemaError, match=message):
        read_groups(protected, rows, bands, 2)  # type: ignore[arg-type]
