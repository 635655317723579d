"""The same data give the same rules, whether they come from memory, a file, a folder, a dataset or a query."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

from evoter import EvoterClassifier, EvoterRegressor
from evoter.rules.errors import SchemaError
from stored import mixed_frame, write_parquet

FRAME = mixed_frame(600)
QUICK: dict[str, Any] = {"generations": 5, "population_size": 40, "random_state": 3}


def folder_of(path: Path) -> Path:
    parts = path.with_name("parts")
    parts.mkdir()
    for number in range(3):
        write_parquet(FRAME[200 * number : 200 * number + 200], parts / f"{number}.parquet")
    return parts


SOURCES: dict[str, Callable[[Path], Any]] = {
    "file": lambda path: path,
    "text": str,
    "folder": folder_of,
    "dataset": ds.dataset,
    "query": pl.scan_parquet,
    "arrow": lambda _: pa.Table.from_pandas(FRAME),
    "polars": lambda _: pl.from_pandas(FRAME),
}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVOTER_CACHE", str(tmp_path / "cache"))
    return write_parquet(FRAME, tmp_path / "t.parquet")


@pytest.fixture(scope="module", params=[None, {"evaluation_rows": 250}])
def known(request: pytest.FixtureRequest) -> EvoterClassifier:
    return EvoterClassifier(**QUICK, settings=request.param).fit(FRAME, "y")


@pytest.mark.parametrize("source", SOURCES)
def test_the_same_data_give_the_same_rules(path: Path, known: EvoterClassifier, source: str) -> None:
    X = SOURCES[source](path)
    model = EvoterClassifier(**QUICK, settings=known.settings).fit(X, "y")
    assert model.ruleset_ == known.ruleset_
    assert model.schema_ == known.schema_
    assert model.history_.last.best == known.history_.last.best
    assert model.row_samples_ == known.row_samples_
    assert model.feature_names_in_.tolist() == known.feature_names_in_.tolist()
    assert model.classes_.tolist() == ["ill", "well"]
    rows = FRAME.drop(columns="y")
    if source not in ("arrow", "polars"):
        assert model.predict(X).tolist() == known.predict(rows).tolist()
        assert np.array_equal(model.predict_proba(X), known.predict_proba(rows))
        assert np.array_equal(model.deciding_rules(X), known.deciding_rules(rows))


def test_labels_may_be_given_beside_the_table(path: Path, known: EvoterClassifier) -> None:
    write_parquet(FRAME.drop(columns="y"), path)
    weights = np.where(np.arange(600) % 3 == 0, 0.0, 1.0)
    model = EvoterClassifier(**QUICK).fit(path, FRAME["y"], weights)
    assert model.ruleset_ == EvoterClassifier(**QUICK).fit(FRAME.drop(columns="y"), FRAME["y"], weights).ruleset_
    assert model.n_rows_ == 400


@pytest.mark.parametrize("labels", [np.arange(90) % 3, np.arange(90) % 2 == 0, (np.arange(90) % 2).astype(float)])
def test_labels_keep_their_type(path: Path, labels: np.ndarray[Any, Any]) -> None:
    frame = FRAME[:90].assign(y=labels)
    write_parquet(frame, path)
    quick = {**QUICK, "generations": 1, "settings": {"soft_targets": 0.0}}
    model = EvoterClassifier(**quick).fit(path, "y")
    assert model.classes_.dtype == EvoterClassifier(**quick).fit(frame, "y").classes_.dtype == labels.dtype


def test_missing_labels_are_refused(path: Path) -> None:
    frame = FRAME.astype({"y": object})
    frame.loc[7, "y"] = None
    write_parquet(frame, path)
    with pytest.raises(ValueError, match="row 7 of the column 'y' is None, which is no class"):
        EvoterClassifier(**QUICK).fit(path, "y")


def test_a_name_that_is_no_column_is_refused(path: Path) -> None:
    for X in (path, FRAME):
        with pytest.raises(ValueError, match="y='Y' is no column of the table; did you mean 'y'"):
            EvoterClassifier().fit(X, "Y")
    with pytest.raises(ValueError, match="the columns of X have no names"):
        EvoterClassifier().fit(np.zeros((9, 2)), "y")


def test_columns_that_rules_cannot_read_are_refused_by_name(path: Path) -> None:
    pl.from_pandas(FRAME).with_columns(when=pl.date(2024, 1, 1)).write_parquet(path)
    with pytest.raises(SchemaError, match="the column 'when' holds dates or times"):
        EvoterClassifier().fit(path, "y")


def test_prediction_needs_the_columns_of_the_fit(path: Path, known: EvoterClassifier) -> None:
    write_parquet(FRAME.rename(columns={"dose": "Dose"}), path)
    with pytest.raises(ValueError, match="no column 'dose', on which the model was fitted; did you mean 'Dose'"):
        known.predict(path)


def test_other_estimators_say_what_to_pass(path: Path) -> None:
    with pytest.raises(SchemaError, match="read the file first"):
        EvoterRegressor().fit(str(path), FRAME["size"])
    with pytest.raises(SchemaError, match="is lazy: pass"):
        EvoterRegressor().fit(pl.scan_parquet(path), FRAME["size"])


def test_measures_of_groups_need_all_rows(path: Path) -> None:
    model = EvoterClassifier(**QUICK, constraints={"recall(ill)": 0.5}, settings={"evaluation_rows": 250})
    with pytest.raises(ValueError, match="600 rows of a table that is read in batches are more than evaluation_rows"):
        model.fit(path, "y")
