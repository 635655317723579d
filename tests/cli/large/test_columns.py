"""Columns of large tables are judged by a sample, and their values read as those of small ones."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from evoter.cli.fit.column_roles import Choices, Plan, plan_columns
from evoter.cli.large import columns
from evoter.cli.large.columns import (
    LargeTable,
    check_classes,
    feature_table,
    group_rows,
    label_rows,
    plan_large,
    sample_table,
    split_large,
)
from evoter.cli.output import Failure
from evoter.cli.tables.files import ReadingOptions, read_source
from evoter.rules.schema import Schema
from evoter.tables import ColumnKind, encode, infer_schema
from evoter.tables.stored.cache import store_table
from stored import mixed_frame

OPTIONS = ReadingOptions(missing=("-9",))


def odd_frame(n_rows: int = 900) -> pl.DataFrame:
    rng = np.random.default_rng(1)
    numbers = rng.integers(0, 40, n_rows)
    return pl.from_pandas(mixed_frame(n_rows)).with_columns(
        day=pl.date(2024, 1, 1),
        flag=pl.Series(rng.integers(0, 2, n_rows)),
        code=pl.Series(np.where(numbers > 35, -9, numbers)),
        price=pl.Series([f"{n}.5 EUR" if n < 30 else " NA " for n in numbers]),
        yes=pl.Series(rng.choice([" True", "false "], n_rows)),
        patient=pl.Series(rng.integers(0, 200, n_rows)),
        y=pl.when(pl.int_range(n_rows) % 100 == 0).then(None).otherwise(pl.col("y")),
    )


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVOTER_CACHE", str(tmp_path / "cache"))
    odd_frame().write_parquet(tmp_path / "t.parquet")
    return tmp_path / "t.parquet"


def opened(path: Path) -> LargeTable:
    return sample_table(store_table(path), path.name, "0" * 64, OPTIONS)


def schema_of(plan: Plan, X: object) -> Schema:
    return infer_schema(X, actions=["a"], categorical=plan.categorical)


def test_values_are_read_as_those_of_a_small_table(path: Path) -> None:
    table, choices = opened(path), Choices(target="y", identifier="patient")
    plan, small = plan_large(table, choices), plan_columns(read_source(str(path), OPTIONS), choices)
    assert [(view.name, view.kind) for view in plan.views] == [(view.name, view.kind) for view in small.views]
    classes, codes = label_rows(table, plan)
    labelled = np.flatnonzero(codes >= 0)
    assert [classes[code] for code in codes[labelled]] == list(small.labels)
    assert labelled.tolist() == list(small.rows)
    features = feature_table(table, plan).take(labelled)
    schema = schema_of(small, small.frame)
    assert schema_of(plan, features) == schema
    assert np.array_equal(encode(features, schema), encode(small.frame, schema), equal_nan=True)


def test_counts_and_ranges_are_those_of_all_rows(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "SAMPLE_ROWS", 300)
    table = opened(path)
    assert len(table.source.frame) == len(table.sampled) == 300
    assert table.source.frame["count"].to_list() == odd_frame()["count"].gather(table.sampled).to_list()
    views = {view.name: view for view in plan_large(table, Choices(target="y", identifier="patient")).views}
    frame = odd_frame()
    assert views["size"].report.low == frame["size"].min()
    assert views["dose"].report.n_missing == frame["dose"].is_nan().sum() + frame["dose"].null_count()
    assert views["price"].report.n_missing == (frame["price"] == " NA ").sum()
    assert views["day"].kind is ColumnKind.DATE
    assert views["day"].note == "left out: dates"
    assert views["patient"].report.n_distinct == frame["patient"].n_unique()


def test_a_flag_that_is_no_flag_outside_the_sample_is_a_number(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = odd_frame()
    monkeypatch.setattr(columns, "SAMPLE_ROWS", 100)
    outside = next(row for row in range(900) if row not in opened(path).sampled)
    frame[outside, "flag"] = 7
    frame.write_parquet(path)
    table = opened(path)
    plan = plan_large(table, Choices(target="y"))
    read = feature_table(table, plan)
    assert read.load(read.names.index("flag"), "flag").cells.max() == 7  # type: ignore[union-attr]
    assert read.find("flag").kind is None


def test_columns_that_cannot_be_read_have_no_role(path: Path) -> None:
    for choices in (Choices(target="day"), Choices(target="y", categories=("day",))):
        with pytest.raises(Failure, match="'day' holds dates or times"):
            plan_large(opened(path), choices)


def test_amounts_are_not_predicted_unless_they_are_cut(path: Path) -> None:
    with pytest.raises(Failure, match="rules that predict numbers need all of them in memory"):
        plan_large(opened(path), Choices(target="size"))
    table = opened(path)
    classes, codes = label_rows(table, plan_large(table, Choices(target="size", cuts=(0.5,))))
    assert classes == ("<= 0.5", "> 0.5")
    assert (codes == (odd_frame()["size"].to_numpy() > 0.5)).all()


def test_classes_may_be_numbers_with_names(path: Path) -> None:
    table = opened(path)
    classes, codes = label_rows(table, plan_large(table, Choices(target="flag", labels=("1=dies",))))
    assert classes == ("0", "dies")
    assert codes.tolist() == odd_frame()["flag"].to_list()


def test_too_many_classes_are_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = opened(path)
    plan = plan_large(table, Choices(target="colour"))
    monkeypatch.setattr(columns, "MAX_CLASSES", 3)
    with pytest.raises(Failure, match="'colour' has 4 different values in 900 rows"):
        label_rows(table, plan)


def test_classes_are_held_out_in_proportion() -> None:
    codes = np.array([0] * 800 + [1] * 200 + [-1] * 50)
    train, test = split_large(codes, None, 0.25, 3)
    assert np.bincount(codes[test]).tolist() == [200, 50]
    assert sorted([*train, *test]) == list(range(1_000))
    assert not np.array_equal(test, split_large(codes, None, 0.25, 4)[1])
    assert len(split_large(codes, None, 0.0, 3)[1]) == 0
    with pytest.raises(Failure, match="out of range"):
        split_large(codes, None, 0.95, 0)


def test_groups_stay_together(path: Path) -> None:
    table = opened(path)
    plan = plan_large(table, Choices(target="y", identifier="patient"))
    groups = group_rows(table, plan)
    assert groups is not None
    _, codes = label_rows(table, plan)
    train, test = split_large(codes, groups, 0.25, 0)
    assert not set(groups[train]) & set(groups[test])
    assert 0.15 < len(test) / len(codes) < 0.35
    assert group_rows(table, plan_large(table, Choices(target="y", numbers=("patient",)))) is None


def test_rows_without_an_identifier_are_on_their_own(path: Path) -> None:
    odd_frame().with_columns(patient=pl.Series(["a", None, "b"] * 300)).write_parquet(path)
    table = opened(path)
    groups = group_rows(table, plan_large(table, Choices(target="y", identifier="patient")))
    assert groups is not None
    assert len(set(groups.tolist())) == 302


def test_one_class_is_refused() -> None:
    with pytest.raises(Failure, match="all training rows have the class 'b'"):
        check_classes(["a", "b"], np.array([1, 1, 0]), np.array([0, 1]))
