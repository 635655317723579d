"""Tests of the parts that columns have in a fit."""

import random

import polars as pl
import pytest

from evoter.cli.fit.column_roles import Choices, plan_columns, recorded_choices
from evoter.cli.fit.split import split_rows
from evoter.cli.fit_records import FitRecord, RecordedColumn, RecordedSplit
from evoter.cli.output import Failure
from evoter.cli.tables.files import Source

SOURCE = Source(
    "t",
    pl.DataFrame(
        {
            "name": [f"N{n % 30}" for n in range(60)],
            "size": [str(n % 7 + 0.5) for n in range(60)],
            "kind": ["a", "b", "c"] * 20,
            "y": ["True", "FALSE", ""] * 20,
        }
    ),
    "",
)


def test_truth_values_of_a_target_are_written_small_and_gaps_left_out() -> None:
    plan = plan_columns(SOURCE, Choices("y"))
    assert plan.class_counts == {"true": 20, "false": 20}
    assert plan.n_unlabelled == 20
    assert len(plan.frame) == 40
    assert plan.rows[:3] == (0, 1, 3)


def test_corrections_replace_earlier_words() -> None:
    choices = Choices("y", dropped=("size",)).corrected("category", "size").corrected("id", "name")
    assert choices == Choices("y", categories=("size",), identifier="name")
    assert choices.corrected("drop", "name") == Choices("y", categories=("size",), dropped=("name",))
    assert choices.corrected("number", "size").numbers == ("size",)
    assert choices.corrected("target", "kind").target == "kind"


def test_a_record_gives_back_the_choices() -> None:
    plan = plan_columns(SOURCE, Choices("y", identifier="name", categories=("size",)))
    columns = tuple(RecordedColumn(view.name, plan.role(view), str(view.kind)) for view in plan.views)
    split = RecordedSplit(0.25, 0, 30, 10, "")
    record = FitRecord("", "", (), "y", (), columns, split)
    again = plan_columns(SOURCE, recorded_choices(record, "y", SOURCE.names))
    assert again.frame.equals(plan.frame)
    assert again.identifiers == plan.identifiers
    assert recorded_choices(None, "y", SOURCE.names) == Choices("y")


@pytest.mark.parametrize(
    ("target", "cuts", "message"),
    [("kind", (3.0,), "--cut needs numbers"), ("name", (), "")],
)
def test_targets(target: str, cuts: tuple[float, ...], message: str) -> None:
    if not message:
        assert len(plan_columns(SOURCE, Choices(target, cuts=cuts)).class_counts) == 30
        return
    with pytest.raises(Failure, match=message):
        plan_columns(SOURCE, Choices(target, cuts=cuts))


def test_cuts_are_told_apart_to_the_last_digit() -> None:
    days = [str(20230101 + n % 8) for n in range(64)]
    source = Source("t", pl.DataFrame({"day": days, "x": [str(n % 5) for n in range(64)]}), "")
    counts = plan_columns(source, Choices("day", cuts=(20230102, 20230104, 20230106))).class_counts
    assert counts == {
        "<= 20230102": 16,
        "20230102 to 20230104": 16,
        "20230104 to 20230106": 16,
        "> 20230106": 16,
    }


def test_several_cuts() -> None:
    counts = plan_columns(SOURCE, Choices("size", cuts=(4.5, 2.0))).class_counts
    assert set(counts) == {"<= 2", "2 to 4.5", "> 4.5"}


def test_nothing_to_learn_from() -> None:
    frame = pl.DataFrame({"x": ["1"] * 30, "y": ["a", "b"] * 15})
    with pytest.raises(Failure, match="t has no column to learn from"):
        plan_columns(Source("t", frame, ""), Choices("y"))


def test_amounts_with_decimal_commas_are_amounts() -> None:
    amounts = pl.Series("y", [f"{n},5" for n in range(30)])
    source = Source("t.csv", pl.DataFrame({"x": ["1", "2"] * 15, "y": amounts}), "", decimal_comma=True)
    plan = plan_columns(source, Choices("y"))
    assert plan.numbers == tuple(n + 0.5 for n in range(30))
    assert plan.task.startswith("task: predict numbers, 'y' (it has 30 different numbers")
    with pytest.raises(Failure, match="looks like an amount") as caught:
        plan_columns(source, Choices("y", task="classes"))
    assert "--cut 15" in caught.value.hint


def test_other_sheets_are_named_where_the_target_is_not_found() -> None:
    source = Source("t.xlsx", pl.DataFrame({"Report": ["x"]}), "", other_sheets=("Data 1",))
    with pytest.raises(Failure, match="has no column 'y'") as caught:
        plan_columns(source, Choices("y"))
    assert caught.value.hint == "the file has other sheets: --sheet 'Data 1'"


@pytest.mark.parametrize(
    ("values", "hint"),
    [(["2", "1e400"] * 20, "--missing 1e400 counts it as missing"), ([2.0, float("inf")] * 20, "make it missing")],
)
def test_infinite_numbers_are_named_with_their_row(values: list[object], hint: str) -> None:
    frame = pl.DataFrame({"a b": values, "y": [None, "p", "q", "p"] * 10})
    with pytest.raises(Failure, match=r"'a b' is (1e400|inf) in row 2, ") as caught:
        plan_columns(Source("t", frame, ""), Choices("y"))
    assert caught.value.hint.startswith(hint)
    assert "--drop 'a b'" in caught.value.hint


def visits(name: str = "patient_id") -> Source:
    """Return 100 patients with 8 visits each, of whom everything but the class is noise."""
    rng = random.Random(0)
    outcomes = [rng.choice(["ill", "well"]) for _ in range(100)]
    rows = [(1000 + 7 * patient, outcomes[patient]) for patient in range(100) for _ in range(8)]
    rng.shuffle(rows)
    return Source(
        "t",
        pl.DataFrame(
            {
                name: [str(number) for number, _ in rows],
                "visit_id": [f"V{number:05}" for number in range(800)],
                "size": [f"{rng.random():.3f}" for _ in rows],
                "y": [outcome for _, outcome in rows],
            }
        ),
        "",
    )


def test_an_identifier_that_repeats_is_left_out_and_divides_the_rows() -> None:
    plan = plan_columns(visits(), Choices("y"))
    assert plan.identifier == "patient_id", "patients, not their visits"
    assert [view.name for view in plan.features] == ["size"]
    split = split_rows(plan.labels, plan.identifiers, 0.25, 0)
    assert split.grouped
    assert plan.identifiers is not None
    sides = [{plan.identifiers[row] for row in rows.tolist()} for rows in (split.train, split.test)]
    assert not sides[0] & sides[1], "a patient is never on both sides"
    (warning,) = plan.warnings
    assert warning == (
        "'patient_id' looks like an identifier (100 values that repeat, 8 rows each): rules do not read it, and its rows "
        "are either all trained on or all tested on; --numeric or --category lets rules read it"
    )


def test_the_user_may_say_otherwise() -> None:
    kept = plan_columns(visits(), Choices("y", numbers=("patient_id",)))
    assert kept.identifier is None
    assert [view.name for view in kept.features] == ["patient_id", "size"]
    named = plan_columns(visits(), Choices("y", identifier="visit_id"))
    assert named.identifier == "visit_id"
    assert [view.name for view in named.features] == ["size"]
    assert len(named.warnings) == 1, "that the other one is left out is said as well"
    dropped = plan_columns(visits(), Choices("y", dropped=("patient_id",)))
    assert dropped.identifier is None


def test_units_in_cells_and_units_that_are_given_agree_or_are_refused() -> None:
    cells = {"weight": [f"{n % 9} kg" for n in range(60)], "age": [str(n % 7) for n in range(60)], "y": ["a", "b"] * 30}
    source = Source("t", pl.DataFrame(cells), "")
    assert plan_columns(source, Choices("y")).units == {"weight": "kg"}
    assert plan_columns(source, Choices("y", units=("age=years", "weight=kg"))).units == {
        "weight": "kg",
        "age": "years",
    }
    with pytest.raises(Failure, match="--unit: the cells of 'weight' are in kg, not in lb"):
        plan_columns(source, Choices("y", units=("weight=lb",)))
