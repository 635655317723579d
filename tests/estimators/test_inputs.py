"""Tables of every library and kind are read as they are, and what cannot be read is refused by name."""

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_matrix

from evoter.estimators.inputs import encode_used, keep_rows, named_row
from evoter.rules.explain import Explanation
from evoter.rules.schema import Kind
from evoter.tables import encode
from patients import N, diagnoses, fitted, patients, polars_patients, quick


def object_array() -> Any:
    return patients().to_numpy(dtype=object)


TABLES: dict[str, Callable[[], Any]] = {
    "pandas": patients,
    "pandas of nullable types": lambda: patients().convert_dtypes(),
    "polars": polars_patients,
    "pyarrow": lambda: pa.Table.from_pandas(patients()),
    "whole-number names": lambda: patients().set_axis(range(5), axis=1),
    "array of objects": object_array,
    "list of rows": lambda: object_array().tolist(),
    "tuple of rows": lambda: tuple(map(tuple, object_array())),
}


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
def test_every_kind_of_table_teaches_the_same_rules(make: Callable[[], Any]) -> None:
    model = quick().fit(make(), diagnoses())
    kinds = [feature.kind for feature in model.schema_.features]
    assert kinds == [Kind.NUMERIC, Kind.BOOLEAN, Kind.CATEGORICAL, Kind.CATEGORICAL, Kind.NUMERIC]
    assert [feature.missing for feature in model.schema_.features] == [False, False, True, False, True]
    assert model.score(make(), diagnoses()) > 0.95
    names = dict(zip(model.schema_.names, patients().columns, strict=True))
    assert {names[name] for name in model.ruleset_.features_used} == set(fitted().ruleset_.features_used)


@pytest.mark.parametrize("make", [polars_patients, lambda: pa.Table.from_pandas(patients())])
def test_a_model_of_one_library_reads_tables_of_another(make: Callable[[], Any]) -> None:
    model = fitted()
    assert np.array_equal(model.predict(make()), model.predict(patients()))
    assert np.array_equal(quick().fit(make(), pl.Series(diagnoses())).predict(patients()), model.predict(patients()))


def test_only_columns_that_rules_read_matter_to_a_prediction() -> None:
    model = fitted()
    unused = sorted(set(patients().columns) - set(model.ruleset_.features_used))
    assert "pressure" in unused
    odd = patients().assign(pressure=["no number"] * N)
    assert np.array_equal(model.predict(odd), model.predict(patients()))
    assert model.explain(odd) == model.explain(patients())
    unnamed = quick().fit(object_array(), diagnoses())
    assert np.array_equal(unnamed.predict(odd.to_numpy(dtype=object)), unnamed.predict(object_array()))


def test_arrays_of_numbers_text_and_truth_values() -> None:
    rng = np.random.default_rng(1)
    truth = rng.random((50, 2)) < 0.5
    model = quick().fit(truth, truth[:, 0])
    assert [feature.kind for feature in model.schema_.features] == [Kind.BOOLEAN] * 2
    assert str(model.ruleset_).startswith("1. x0 = ")
    assert np.array_equal(model.predict(truth.astype(float)), truth[:, 0])
    text = rng.choice(["a", "b", "c"], (50, 2))
    model = quick().fit(text, text[:, 1] == "b")
    assert model.schema_.features[1].categories == ("a", "b", "c")
    assert model.score(text, text[:, 1] == "b") == 1.0
    whole = rng.integers(0, 9, (50, 2))
    for numbers in (whole, whole.astype(np.float32), whole.astype(np.uint8), whole.tolist()):
        assert quick().fit(numbers, whole[:, 0] > 4).score(numbers, whole[:, 0] > 4) == 1.0


def test_numbers_that_mean_categories() -> None:
    table = np.column_stack([np.tile([1, 2, 3, 4], 10), np.arange(40)])
    y = np.isin(table[:, 0], [2, 3])
    for categorical in ([0], np.array([0])):
        model = quick(categorical=categorical).fit(table, y)
        assert model.schema_.features[0].categories == ("1", "2", "3", "4")
        assert model.score(table, y) == 1.0
        assert model.score(table.astype(float), y) == 1.0


def test_missing_values_are_read_natively() -> None:
    table = np.arange(60, dtype=float).reshape(-1, 1)
    table[::3] = np.nan
    y = np.where(np.isnan(table[:, 0]), "gone", "there")
    model = quick().fit(table, y)
    assert model.score(table, y) == 1.0
    assert "is missing" in str(model.ruleset_) or "is present" in str(model.ruleset_)
    assert model.predict([[np.nan], [3.0]]).tolist() == ["gone", "there"]
    model = quick().fit([[None], [2.0], [3.0], [None]], ["gone", "there", "there", "gone"])
    assert model.predict([[None], [9.0]]).tolist() == ["gone", "there"]


def test_a_category_never_seen_equals_none_that_was() -> None:
    model = fitted()
    assert "city" in model.ruleset_.features_used
    elsewhere = patients().assign(city="Paris")
    oslo = patients().assign(city="Oslo")
    assert np.array_equal(model.predict(elsewhere), model.predict(oslo))


def test_infinite_values_can_be_decided_on() -> None:
    model = quick().fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    assert model.predict([[np.inf], [-np.inf]]).tolist() == [1, 0]


def test_columns_must_be_those_of_fit_in_their_order() -> None:
    model = fitted()
    for make in (patients, polars_patients):
        frame = make()
        names = list(frame.columns)
        with pytest.raises(ValueError, match=r"Feature names must be in the same order as they were in fit"):
            model.predict(frame[names[::-1]])
        with pytest.raises(ValueError, match=r"Feature names seen at fit time, yet now missing:\n- age"):
            model.predict(frame[names[1:]])
    with pytest.raises(ValueError, match=r"Feature names unseen at fit time:\n- height"):
        model.predict(patients().assign(height=1.8))
    with pytest.raises(ValueError, match="X has 3 features, but EvoterClassifier is expecting 5 features"):
        quick().fit(object_array(), diagnoses()).predict(object_array()[:, :3])


def test_names_on_one_side_only_are_warned_about() -> None:
    numbers = patients()[["age", "pressure"]]
    named, unnamed = quick().fit(numbers, diagnoses()), quick().fit(numbers.to_numpy(), diagnoses())
    with pytest.warns(UserWarning, match="X does not have valid feature names, but EvoterClassifier was fitted with"):
        named.predict(numbers.to_numpy())
    with pytest.warns(UserWarning, match="X has feature names, but EvoterClassifier was fitted without"):
        predicted = unnamed.predict(numbers)
    assert np.array_equal(predicted, unnamed.predict(numbers.to_numpy())), "columns are found by their place"


def with_column(values: Any) -> pd.DataFrame:
    return patients().assign(extra=values)


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "dates": (
        lambda: with_column(pd.Timestamp("2020-02-01")),
        ValueError,
        r"the column 'extra' holds dates or times.*: turn them into numbers first",
    ),
    "dates among objects": (
        lambda: with_column(pd.Series([datetime.date(2020, 2, 1)] * N, dtype=object)),
        ValueError,
        r"the column 'extra' holds dates or times, such as datetime.date\(2020, 2, 1\): turn them into numbers first",
    ),
    "mixed types": (
        lambda: with_column(pd.Series(["a", 1] * (N // 2), dtype=object)),
        ValueError,
        r"the column 'extra' mixes categorical and numeric values, such as 'a' and 1: convert it to one type",
    ),
    "infinite": (
        lambda: with_column([*range(N - 1), np.inf]),
        ValueError,
        r"row 119 of the column 'extra' is inf, .*: replace infinite values by NaN \(missing\)",
    ),
    "infinite in an array": (
        lambda: np.column_stack([np.arange(N), np.r_[-np.inf, np.arange(N - 1)]]),
        ValueError,
        r"row 0 of the column 'x1' is -inf, .*: replace infinite values by NaN",
    ),
    "identifiers": (
        lambda: with_column([f"patient {number}" for number in range(N)]),
        ValueError,
        r"the column 'extra' has 120 distinct texts .* looks like an identifier.*: drop it",
    ),
    "nothing but missing": (
        lambda: with_column(None),
        ValueError,
        r"the column 'extra' has no values at all.*: drop it or give it a type",
    ),
    "containers": (
        lambda: np.array([[{"a": 1}, 1.0]] * N, dtype=object),
        TypeError,
        r"every argument must be a string, .* row 0 of column 0 holds the dict {'a': 1}: give each of its values a column",
    ),
    "three dimensions": (
        lambda: np.zeros((N, 2, 2)),
        ValueError,
        r"Found array with dim 3, while dim <= 2 is required",
    ),
    "one dimension": (lambda: np.zeros(N), ValueError, r"Expected 2D array, got 1D array instead"),
    "text in one dimension": (
        lambda: np.array(["a"] * N),
        ValueError,
        r"a table has two dimensions.* Reshape your data",
    ),
    "a series": (lambda: patients()["age"], ValueError, r"Expected a? ?2.*D"),
    "ragged rows": (
        lambda: [["a", 1], ["b"]] * (N // 2),
        ValueError,
        r"the rows are not of equal length: every row needs a value, or None, for every feature",
    ),
    "no rows": (lambda: np.zeros((0, 2)), ValueError, r"Found array with 0 sample\(s\) \(shape=\(0, 2\)\)"),
    "no rows in a frame": (lambda: patients().iloc[:0], ValueError, r"the table is empty: 0 sample\(s\)"),
    "no columns": (lambda: patients()[[]], ValueError, r"the table is empty: 0 feature\(s\)"),
    "sparse": (lambda: csr_matrix(np.eye(N)), TypeError, r"Sparse data was passed .* Use '.toarray\(\)'"),
    "masked": (lambda: np.ma.masked_array(np.zeros((N, 2))), ValueError, r"masked arrays .*: pass X.filled\(np.nan\)"),
    "complex": (lambda: np.zeros((N, 2), complex), ValueError, r"Complex data not supported"),
    "mappings": (
        lambda: patients().to_dict("records"),
        TypeError,
        r"X is a list of mappings.*: pass a frame, pandas.DataFrame\(X\)",
    ),
    "names twice": (
        lambda: patients().set_axis(["a", "a", "b", "c", "d"], axis=1),
        ValueError,
        r"the frame has several columns of the same name; rename them",
    ),
    "names of several types": (
        lambda: patients().set_axis([0, "a", "b", "c", "d"], axis=1),
        ValueError,
        r"the frame has the column name 0, which is no text: X.columns = X.columns.map\(str\)",
    ),
}


@pytest.mark.parametrize(("make", "kind", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_read_is_refused_with_a_remedy(
    make: Callable[[], Any], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        quick().fit(make(), diagnoses())


def test_a_value_of_another_kind_is_refused_at_prediction() -> None:
    model = fitted()
    with pytest.raises(ValueError, match=r"row 0 of the column 'smoker': .* is boolean and takes true or false"):
        model.predict(patients().assign(smoker="often"))


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[120, 119\]"):
        quick().fit(patients(), diagnoses()[1:])


ROWS: dict[str, Callable[[], Any]] = {
    "mapping": lambda: patients().iloc[3].to_dict(),
    "mapping of what is read": lambda: {
        name: value for name, value in patients().iloc[3].items() if name in fitted().ruleset_.features_used
    },
    "row of pandas": lambda: patients().iloc[3],
    "row of polars by name": lambda: polars_patients().row(3, named=True),
    "frame of pandas": lambda: patients().iloc[[3]],
    "frame of polars": lambda: polars_patients()[3],
    "table of pyarrow": lambda: pa.Table.from_pandas(patients().iloc[[3]]),
}
NAMELESS_ROWS: dict[str, Callable[[], Any]] = {
    "row of polars": lambda: polars_patients().row(3),
    "list": lambda: list(patients().iloc[3]),
    "array": lambda: patients().iloc[3].to_numpy(),
    "table of one row": lambda: object_array()[[3]],
    "list of one row": lambda: [list(patients().iloc[3])],
}


@pytest.mark.parametrize("make", ROWS.values(), ids=ROWS)
def test_one_row_of_any_type_is_explained(make: Callable[[], Any]) -> None:
    model = fitted()
    explanation = model.explain(make())
    assert isinstance(explanation, Explanation)
    assert explanation == model.explain(patients())[3]  # type: ignore[index]
    assert explanation.decision.action == model.predict(patients())[3]


@pytest.mark.parametrize("make", NAMELESS_ROWS.values(), ids=NAMELESS_ROWS)
def test_one_row_without_names_is_explained(make: Callable[[], Any]) -> None:
    model = quick().fit(object_array(), diagnoses())
    explanation = model.explain(make())
    assert isinstance(explanation, Explanation)
    assert explanation == model.explain(object_array())[3]  # type: ignore[index]


def test_a_row_that_lacks_a_feature_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="the row has no value for the feature 'age'"):
        fitted().explain({"city": "Rome", "smoker": True})


def test_rows_with_and_without_names() -> None:
    assert named_row({"a": 1}) == {"a": 1}
    assert named_row(pd.Series({"a": 1})) == {"a": 1}
    assert named_row(pd.Series([1, 2])) is None
    assert named_row(pl.Series([1, 2])) is None
    assert named_row([1, 2]) is None


@pytest.mark.parametrize("make", [patients, polars_patients, object_array])
def test_rows_are_kept_and_columns_chosen(make: Callable[[], Any]) -> None:
    schema = fitted().schema_
    kept = np.arange(N) % 3 == 0
    whole, part = encode(make(), schema), encode(keep_rows(make(), kept), schema)
    assert np.array_equal(whole[:, kept], part, equal_nan=True)
    used = fitted().ruleset_.schema
    positions = [schema.position(name) for name in used.names]
    assert np.array_equal(encode_used(make(), schema, used), whole[positions], equal_nan=True)
    nothing = type(schema)([], schema.actions)
    assert encode_used(make(), schema, nothing).shape == (0, N)
