"""Tests of what columns are found to be, and of the law that Python and the command line agree about it."""

import warnings
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pytest

from evoter import EvoterClassifier
from evoter.cli.fit.column_roles import Choices, plan_columns
from evoter.cli.output import Failure
from evoter.cli.tables.column_views import view_column
from evoter.cli.tables.files import Source, read_source
from evoter.rules.errors import SchemaError
from evoter.tables import ColumnConcern, ColumnKind, ColumnReport, ColumnWarning, describe_columns, infer_schema
from evoter.tables.intake.kinds import UnreadableColumnError
from evoter.tables.intake.limits import MAX_CATEGORIES, MIN_VALUES_TO_JUDGE

N = 3_000
"""Rows of the tricky table: enough for 1,500 categories that repeat."""

KEPT = "kept"
WARNED = "kept with a warning"
REFUSED = "refused"


class Tricky(NamedTuple):
    """A column with its typed values, what it is, and what Python and the command line do with it."""

    values: Sequence[object]
    kind: ColumnKind
    python: str
    in_cli: bool
    concerns: tuple[ColumnConcern, ...] = ()


def _spread(n: int, step: int = 7919) -> list[int]:
    """Return different whole numbers in no order, which are not consecutive."""
    return [step * k % 1_000_003 for k in range(n)]


_DAY = date(2024, 1, 1)
COLUMNS = {
    "size": Tricky([k % 997 + 0.5 for k in range(N)], ColumnKind.NUMERIC, KEPT, True),
    "amount": Tricky(_spread(N), ColumnKind.NUMERIC, KEPT, True),
    "patient_id": Tricky(_spread(N), ColumnKind.IDENTIFIER, WARNED, False),
    "customerNo": Tricky(_spread(N - 400) + _spread(400), ColumnKind.IDENTIFIER, WARNED, False),
    "shelfNo": Tricky(_spread(N - 400) + _spread(400), ColumnKind.NUMERIC, WARNED, True, (ColumnConcern.IDENTIFIER,)),
    "line": Tricky(range(1, N + 1), ColumnKind.IDENTIFIER, WARNED, False),
    "code": Tricky([f"P-{k:05}" for k in range(N)], ColumnKind.IDENTIFIER, REFUSED, False),
    "same": Tricky([7.5] * N, ColumnKind.CONSTANT, KEPT, False),
    "same text": Tricky(["a"] * N, ColumnKind.CONSTANT, KEPT, False),
    "same or missing": Tricky(["a", None] * (N // 2), ColumnKind.CATEGORICAL, KEPT, True),
    "nothing": Tricky([float("nan")] * N, ColumnKind.EMPTY, KEPT, False),
    "grade": Tricky([k % 4 for k in range(N)], ColumnKind.NUMERIC, KEPT, True),
    "town": Tricky([f"T{k * 7 % 500}" for k in range(N)], ColumnKind.CATEGORICAL, KEPT, True),
    "street": Tricky([f"S{k * 7 % 1_500}" for k in range(N)], ColumnKind.TEXT, REFUSED, False),
    "full street": Tricky([f"F{k * 7 % MAX_CATEGORIES}" for k in range(N)], ColumnKind.CATEGORICAL, KEPT, True),
    "remark": Tricky([f"note {k % (N - 100)}" for k in range(N)], ColumnKind.TEXT, REFUSED, False),
    "admitted": Tricky([str(_DAY + timedelta(k % 300)) for k in range(N)], ColumnKind.DATE, WARNED, False),
    "born": Tricky([str(_DAY - timedelta(k)) for k in range(N)], ColumnKind.DATE, REFUSED, False),
    "colour": Tricky(["red", "Red"] + ["red", "blue"] * (N // 2 - 1), ColumnKind.CATEGORICAL, WARNED, True,
                     (ColumnConcern.SPELLING,)),
    "mixed": Tricky(["1", "2", "many"] * (N // 3), ColumnKind.CATEGORICAL, KEPT, True),
    "smoker": Tricky([k % 3 == 0 for k in range(N)], ColumnKind.BOOLEAN, KEPT, True),
    "infinite": Tricky([float("inf"), *(k / 7 for k in range(N - 1))], ColumnKind.NUMERIC, REFUSED, True),
}  # fmt: skip
FRAME = pl.DataFrame({name: list(column.values) for name, column in COLUMNS.items()}, strict=False)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Return the tricky table after a way through a CSV file, in which all cells are text."""
    path = tmp_path_factory.mktemp("tricky") / "tricky.csv"
    FRAME.write_csv(path)
    return read_source(str(path))


def essence(report: ColumnReport) -> tuple[object, ...]:
    """Return what must agree of two reports about the same column."""
    found = [(warning.concern, warning.finding) for warning in report.warnings]
    return report.kind, report.reason, report.note, report.n_missing, report.n_distinct, report.infinite_row, found


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_text_files_and_frames_are_understood_alike(library: str, source: Source) -> None:
    frame = FRAME if library == "polars" else FRAME.to_pandas()
    for report, (name, column) in zip(describe_columns(frame), COLUMNS.items(), strict=True):
        view = view_column(source.frame[name], source)
        assert essence(view.report) == essence(report), name
        assert report.kind is column.kind, name
        assert tuple(warning.concern for warning in report.warnings) == column.concerns, name


def test_what_the_command_line_reads(source: Source) -> None:
    read = [name for name in COLUMNS if view_column(source.frame[name], source).kind.is_feature]
    assert read == [name for name, column in COLUMNS.items() if column.in_cli]


@pytest.mark.parametrize("name", COLUMNS)
def test_python_warns_or_refuses_where_the_command_line_does(name: str, source: Source) -> None:
    column = COLUMNS[name]
    assert _reaction(name) == column.python
    view = view_column(source.frame[name], source)
    flagged = not view.kind.is_feature or bool(view.warnings) or _refused_by_fit(name, source)
    harmless = view.kind in (ColumnKind.CONSTANT, ColumnKind.EMPTY)
    assert flagged is (column.python != KEPT or harmless)


def _reaction(name: str) -> str:
    """Return what `infer_schema` does with one column."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            infer_schema(FRAME.select(name), actions=["yes", "no"])
        except SchemaError as error:
            return REFUSED if repr(name) in str(error) else str(error)
    assert all(isinstance(each.message, ColumnWarning) and repr(name) in str(each.message) for each in caught)
    return WARNED if caught else KEPT


def _refused_by_fit(name: str, source: Source) -> bool:
    labels = pl.Series("y", ["no", "yes", "yes", "no"] * (N // 4))
    table = Source("t", source.frame.select(name, "size").with_columns(labels) if name != "size"
                   else source.frame.select(name).with_columns(labels), "")  # fmt: skip
    try:
        plan_columns(table, Choices("y"))
    except Failure as failure:
        return repr(name) in failure.message
    return False


def test_estimators_warn_as_well() -> None:
    table = pd.DataFrame({"patient_id": _spread(60), "size": np.linspace(0, 1, 60)})
    model = EvoterClassifier(population_size=10, generations=1, random_state=0)
    with pytest.warns(ColumnWarning, match=r"'patient_id' looks like an identifier: all values differ") as caught:
        model.fit(table, ["a", "b"] * 30)
    (warning,) = [each.message for each in caught]
    assert isinstance(warning, ColumnWarning)
    assert (warning.column, warning.concern) == ("patient_id", ColumnConcern.IDENTIFIER)


def test_zeros_and_ones_are_the_one_named_difference() -> None:
    frame = pl.DataFrame({"x": [0, 1, 1, None]})
    source = Source("t.csv", pl.DataFrame({"x": ["0", "1", "1", ""]}), "")
    (numeric,), (boolean,) = describe_columns(frame), describe_columns(frame, zero_one_as_boolean=True)
    assert (numeric.kind, boolean.kind) == (ColumnKind.NUMERIC, ColumnKind.BOOLEAN)
    assert essence(view_column(source.frame["x"], source).report) == essence(boolean)
    schema = infer_schema(frame, actions=["a"], zero_one_as_boolean=True)
    assert str(schema.features[0].kind) == "boolean"
    assert str(infer_schema(frame, actions=["a"]).features[0].kind) == "numeric"


@pytest.mark.parametrize(
    ("series", "kind"),
    [
        (pl.Series([None, None]), ColumnKind.EMPTY),
        (pl.Series([float("nan"), None]), ColumnKind.EMPTY),
        (pl.Series([None, None], dtype=pl.String), ColumnKind.EMPTY),
        (pl.Series([_DAY, None]), ColumnKind.DATE),
        (pl.Series([[1], [2]]), ColumnKind.OTHER),
        (pl.Series([b"a", b"b"]), ColumnKind.OTHER),
        (pl.Series([True, True]), ColumnKind.CONSTANT),
        (pl.Series(["b", "a"], dtype=pl.Categorical), ColumnKind.CATEGORICAL),
        (pl.Series([1, "a"], dtype=pl.Object), ColumnKind.OTHER),
    ],
)
def test_types_that_a_text_file_does_not_have(series: pl.Series, kind: ColumnKind) -> None:
    (report,) = describe_columns(series.to_frame("x"))
    assert report.kind is kind
    assert bool(report.reason) is not kind.is_feature
    assert view_column(series.alias("x"), Source("t", series.to_frame("x"), "")).kind is kind


def test_small_tables_are_not_judged() -> None:
    few = MIN_VALUES_TO_JUDGE - 1
    table = pd.DataFrame({"id": range(few), "name": [f"N{k}" for k in range(few)], "row nr": _spread(few)})
    assert [str(report.kind) for report in describe_columns(table)] == ["number", "category", "number"]
    infer_schema(table, actions=["a"])  # without a warning, which would be an error here


def test_ranges_in_arrays_are_not_taken_for_row_numbers() -> None:
    numbers = np.arange(100.0).reshape(-1, 1)
    infer_schema(numbers, actions=["a"])  # without a warning
    (array,), (frame,) = describe_columns(numbers), describe_columns(pd.DataFrame(numbers, columns=["line"]))
    assert (array.kind, frame.kind) == (ColumnKind.NUMERIC, ColumnKind.IDENTIFIER)


def test_categories_that_were_asked_for_are_not_judged() -> None:
    texts = [f"text {k}" for k in range(MAX_CATEGORIES + 1)]
    (report,) = describe_columns(pd.DataFrame({"x": texts}), categorical=["x"])
    assert (report.kind, report.n_distinct) == (ColumnKind.CATEGORICAL, MAX_CATEGORIES + 1)


def test_the_error_about_too_many_categories_says_what_to_do() -> None:
    with pytest.raises(SchemaError, match=r"'street' has 1500 distinct texts.*1,000.*categorical=\[...\]"):
        infer_schema(FRAME.select("street"), actions=["a"])


def test_unreadable_columns_are_schema_errors() -> None:
    with pytest.raises(UnreadableColumnError, match="holds dates or times"):
        infer_schema(pl.DataFrame({"x": [_DAY]}), actions=["a"])


def test_missing_texts_are_the_same_in_a_file_and_a_frame(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,z\n1,a\nNA,b\n2.5,?\n", encoding="utf-8")
    source = read_source(str(path))
    typed = pd.DataFrame({"x": [1, None, 2.5], "z": ["a", "b", None]})
    for report, name in zip(describe_columns(typed), ("x", "z"), strict=True):
        assert essence(view_column(source.frame[name], source).report) == essence(report)
