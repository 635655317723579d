"""Tests of sites: what they answer, what they refuse, and that no value of a row leaves them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.federated import LaplaceNoise, PairwiseMasks, Site
from evoter.federated.frames import write_frame
from evoter.federated.messages import (
    Agreement,
    Answer,
    Counted,
    Describe,
    Refusal,
    Request,
    Sketch,
    Tables,
    read_answer,
    write_request,
)
from evoter.federated.populations import CodedRuleSets
from evoter.federated.summaries import Summary
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from evoter.tables import infer_schema
from federated_tables import make_table
from laws import examples

TABLE, LABELS = make_table(100)
SCHEMA = infer_schema(TABLE, actions=["sick", "well"])
RULES = [parse(f"age > {age} -> sick; Default -> well", schema=SCHEMA) for age in (30, 60, 89)]
TABLES = Tables(Agreement(SCHEMA), CodedRuleSets.of_rulesets(RULES, SCHEMA, with_actions=False))


def ask(site: Site, request: Request) -> Answer:
    return read_answer(site.answer(write_request(request)))


def counts_of(site: Site, request: Request = TABLES) -> np.ndarray:
    answer = ask(site, request)
    assert isinstance(answer, Counted)
    return answer.counts


def reason_of(answer: Answer) -> str:
    assert isinstance(answer, Refusal)
    return answer.reason


def test_counts_add_up_to_the_rows() -> None:
    counts = counts_of(Site(TABLE, LABELS, name="here", min_cell_count=1)).reshape(3, 2, 2)
    assert counts.sum(axis=(1, 2)).tolist() == [100, 100, 100]
    assert counts[1, 0].sum() == (TABLE["age"] > 60).sum()
    assert counts[0].sum(axis=0).tolist() == [(LABELS == "sick").sum(), (LABELS == "well").sum()]


def test_small_counts_are_suppressed() -> None:
    exact = counts_of(Site(TABLE, LABELS, name="here", min_cell_count=1))
    told = counts_of(Site(TABLE, LABELS, name="here", min_cell_count=12, microaggregate=False))
    np.testing.assert_array_equal(told, np.where(exact < 12, 0, exact))
    assert ((exact > 0) & (exact < 12)).any()


def test_columns_that_may_not_be_used_are_not_even_described() -> None:
    site = Site(TABLE, LABELS, name="here", features=["age", "town"])
    answer = ask(site, Describe())
    assert isinstance(answer, Summary)
    assert [column.name for column in answer.columns] == ["age", "town"]
    assert "no column to be used here" in reason_of(ask(site, TABLES))
    with pytest.raises(ValueError, match="no column 'agee'; did you mean 'age'"):
        Site(TABLE, LABELS, name="here", features=["agee"])


def test_a_question_that_is_repeated_costs_nothing_and_is_answered_alike() -> None:
    site = Site(TABLE, LABELS, name="here", noise=LaplaceNoise(epsilon=1.0, per_table=0.25))
    first, again = counts_of(site), counts_of(site)
    np.testing.assert_array_equal(first, again)
    assert site.noise is not None
    assert site.noise.n_tables_left == 1
    assert site.n_tables == 3


def test_budgets_are_refused_when_spent() -> None:
    for site in (
        Site(TABLE, LABELS, name="here", noise=LaplaceNoise(epsilon=0.5, per_table=0.25)),
        Site(TABLE, LABELS, name="here", max_tables=2),
    ):
        answer = ask(site, TABLES)
        assert isinstance(answer, Refusal)
        assert answer.is_spent
        assert site.n_tables == 0


def test_noise_is_added_and_nothing_else_is_told() -> None:
    site = Site(TABLE, LABELS, name="here", min_cell_count=1, noise=LaplaceNoise(epsilon=10.0, per_table=0.01))
    assert not np.array_equal(counts_of(site), counts_of(Site(TABLE, LABELS, name="here", min_cell_count=1)))
    answer = ask(site, Describe())
    assert isinstance(answer, Summary)
    assert answer.noisy
    assert answer.columns == ()
    assert answer.classes == ()


def test_columns_of_an_array_are_found_by_their_numbers_in_any_order() -> None:
    """Arrays have no names: a schema with as many features, in another order, must not exchange columns."""
    array = np.column_stack([np.arange(40.0), np.arange(40.0) * 100])
    schema = Schema([Feature("x1"), Feature("x0")], ["a", "b"])
    site = Site(array, ["a", "b"] * 20, name="here", features=["x1", "x0"], min_cell_count=1)
    counts = counts_of(site, Sketch(Agreement(schema), (np.array([50.0]), np.array([50.0]))))
    assert counts.tolist() == [1, 39, 0, 40, 0, 0]


def test_masks_are_for_all_or_none() -> None:
    plain, masked = Site(TABLE, LABELS, name="a"), Site(TABLE, LABELS, name="a", masks=PairwiseMasks())
    keys = {"a": masked.summary.public_key, "b": PairwiseMasks().public_key}
    secret = Tables(Agreement(SCHEMA, keys), TABLES.population)
    assert "no masked counts" in reason_of(ask(plain, secret))
    assert "only masked counts" in reason_of(ask(masked, TABLES))
    answer = ask(masked, secret)
    assert isinstance(answer, Counted)
    assert answer.counts.dtype == np.uint64


@given(st.binary(max_size=200))
@examples(250)
def test_a_site_survives_any_bytes(message: bytes) -> None:
    assert isinstance(read_answer(SITE.answer(message)), Refusal)


@given(st.data())
@examples(400)
def test_a_site_survives_a_damaged_request(data: st.DataObject) -> None:
    message = bytearray(write_request(TABLES))
    for _ in range(data.draw(st.integers(1, 6))):
        message[data.draw(st.integers(0, len(message) - 1))] = data.draw(st.integers(0, 255))
    assert isinstance(read_answer(SITE.answer(bytes(message))), Refusal | Counted | Summary)


SECRET = "Rumpelstilzchen"
SITE = Site(
    pd.DataFrame({"name": [SECRET, *["x", "y"] * 20], "age": [123.456, *range(40)], "dose": [7.75, *range(40)]}),
    ["a"] * 20 + ["b"] * 21,
    name="here",
    min_cell_count=5,
    microaggregate=False,
)


@pytest.mark.parametrize(
    "schema",
    [
        Schema([Feature("name")], ["a", "b"]),
        Schema([Feature("age", "categorical", categories=("123.456",))], ["a", "b"]),  # type: ignore[arg-type]
        Schema([Feature("age", "boolean")], ["a", "b"]),  # type: ignore[arg-type]
        Schema([Feature("other")], ["a", "b"]),
        Schema([Feature("name", "categorical", categories=(SECRET,))], ["a", "b"]),  # type: ignore[arg-type]
    ],
)
def test_no_answer_shows_a_value_of_a_row(schema: Schema) -> None:
    """A hostile schema makes columns unreadable, whose errors name cells elsewhere."""
    n_numeric = sum(feature.kind == "numeric" for feature in schema.features)
    request = Sketch(Agreement(schema), (np.array([100.0]),) * n_numeric)
    none = schema.actions[0]
    rules = [parse(f"Default -> {none}", schema=schema)]
    tables = Tables(Agreement(schema), CodedRuleSets.of_rulesets(rules, schema, with_actions=False))
    for message in (write_request(request), write_request(tables), write_frame({"request": SECRET}, {})):
        answer = SITE.answer(message)
        told = read_answer(answer)
        if isinstance(told, Refusal):
            assert "123.4" not in told.reason
            assert "row 0" not in told.reason
            assert SECRET not in told.reason or SECRET.encode() in message
        else:
            assert isinstance(told, Counted)
            assert not ((told.counts > 0) & (told.counts < 5)).any()
    summary = SITE.answer(write_request(Describe()))
    assert SECRET.encode() not in summary
    assert b"123.456" not in summary


def test_a_single_row_is_never_counted_alone() -> None:
    schema = Schema([Feature("name", "categorical", categories=(SECRET, "x"))], ["a", "b"])  # type: ignore[arg-type]
    rules = [parse(f"name = {SECRET} -> a; Default -> b", schema=schema)]
    tables = Tables(Agreement(schema), CodedRuleSets.of_rulesets(rules, schema, with_actions=False))
    assert counts_of(SITE, tables)[:2].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"name": ""}, "name"),
        ({"name": "a", "min_cell_count": 0}, "min_cell_count must be 1 or more"),
        ({"name": "a", "min_cell_count": 99}, "no class has 99 rows"),
        ({"name": "a", "microaggregate": True, "noise": LaplaceNoise(epsilon=1.0, per_table=1.0)}, "counts of rows"),
    ],
)
def test_parameters_are_checked(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Site(TABLE, LABELS, **parameters)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="100 rows, and there are 3 labels"):
        Site(TABLE, ["a", "b", "b"], name="here")
