"""Tests of reports and warnings about columns."""

import copy

from evoter.rules.schema import Kind
from evoter.tables import ColumnConcern, ColumnKind, ColumnReport, ColumnWarning
from evoter.tables.intake.kinds import UnreadableColumnError


def test_rules_read_the_kinds_of_the_language() -> None:
    assert [kind for kind in ColumnKind if kind.is_feature] == ["number", "category", "yes/no"]
    assert len([kind for kind in ColumnKind if kind.is_feature]) == len(Kind)


def test_a_warning_names_the_column_and_the_remedy() -> None:
    for concern in ColumnConcern:
        warning = ColumnWarning("zip", concern, "is odd")
        assert str(warning).startswith("the column 'zip' is odd: ")
        again = copy.copy(warning)
        assert (str(again), again.concern) == (str(warning), concern)


def test_errors_can_be_copied_between_processes() -> None:
    error = copy.copy(UnreadableColumnError("no", ColumnKind.DATE, "dates"))
    assert (str(error), error.kind, error.reason) == ("no", ColumnKind.DATE, "dates")


def test_summaries_are_short() -> None:
    report = ColumnReport("x", ColumnKind.CATEGORICAL, n_distinct=6, examples=("a" * 30, "b"))
    assert report.summary == f"{'a' * 19}…, b + 4 more"
    assert ColumnReport("x", ColumnKind.NUMERIC, low=0.5, high=20.0).summary == "0.5 .. 20"
    assert ColumnReport("x", ColumnKind.BOOLEAN, share_true=0.25).summary == "25% yes"
    assert ColumnReport("x", ColumnKind.CONSTANT, low=7.0, high=7.0, n_distinct=1, examples=("7",)).summary == "7"
    assert ColumnReport("x", ColumnKind.EMPTY).summary == ""
