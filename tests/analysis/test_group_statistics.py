"""Groups are counted as they are, whatever a column holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evoter
from evoter.analysis.group_statistics import measure_groups
from evoter.analysis.rule_statistics import measure
from evoter.rules.errors import SchemaError

RULES = evoter.parse("x > 0 -> yes; Default -> no")
ROWS = [{"x": x} for x in (1, 1, -1, -1, 1, -1)]
LABELS = ["yes", "no", "no", "no", "yes", "yes"]
SEX = ["f", "f", "f", "m", "m", "m"]


def test_each_group_has_its_own_decisions_and_accuracy() -> None:
    found = measure_groups(measure(RULES, ROWS, LABELS), LABELS, "sex", SEX)
    assert not found.is_read
    assert [group.name for group in found.groups] == ["f", "m"]
    women, men = found.groups
    yes, no = found.actions.index("yes"), found.actions.index("no")
    assert (women.decided[yes].n_hits, men.decided[yes].n_hits) == (2, 1)
    assert women.labelled is not None
    assert women.labelled[no].n_hits == 2
    assert women.right is not None
    assert women.right.value == 2 / 3
    assert women.right.low < 2 / 3 < women.right.high
    described = found.to_dict()["groups"][0]
    assert (described["name"], described["rows"], described["accuracy"]["rows"]) == ("f", 3, 2)


def test_a_column_that_rules_read_is_said_to_be_read() -> None:
    assert measure_groups(measure(RULES, ROWS), None, "x", [1, 1, -1, -1, 1, -1]).is_read


@given(st.lists(st.sampled_from("abc") | st.none(), min_size=6, max_size=6))
def test_groups_add_up_to_all_rows(values: list[str | None]) -> None:
    statistics = measure(RULES, ROWS, LABELS)
    found = measure_groups(statistics, LABELS, "group", values)
    assert sum(group.n_rows for group in found.groups) == 6
    assert sum(group.right.n_hits for group in found.groups if group.right) == 4
    assert all(sum(share.n_hits for share in group.decided) == group.n_rows for group in found.groups)


def test_quartiles_come_in_their_order() -> None:
    rows = [{"x": 1}] * 40
    found = measure_groups(measure(RULES, rows), None, "age", [*range(5, 45)])
    assert [group.name for group in found.groups] == ["5 to 14", "15 to 24", "25 to 34", "35 to 44"]


def test_too_few_values_are_refused() -> None:
    with pytest.raises(SchemaError, match="'sex' has 2 values for 6 rows"):
        measure_groups(measure(RULES, ROWS), None, "sex", ["f", "m"])
