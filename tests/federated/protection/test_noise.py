"""Tests of noise and its budget."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evoter.federated import LaplaceNoise, RefusedError, Site
from evoter.federated.counting import CountedRows
from evoter.federated.messages import (
    EXTEND,
    INSERT,
    Agreement,
    Counted,
    Describe,
    Moves,
    Refusal,
    Sketch,
    Tables,
    n_tables,
    read_answer,
    write_request,
)
from evoter.federated.populations import CodedRuleSets
from evoter.federated.protection.noise import discrete_laplace, suppressed
from evoter.federated.summaries import Summary
from evoter.federated.sums import Sums
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from evoter.tables import encode, infer_schema
from federated_tables import make_table


def test_the_distribution_is_the_discrete_laplace() -> None:
    numbers = discrete_laplace(200_000, 0.7, b"seed")
    ks = np.arange(-4, 5)
    expected = (1 - np.exp(-0.7)) / (1 + np.exp(-0.7)) * np.exp(-0.7 * np.abs(ks))
    found = np.array([(numbers == k).mean() for k in ks])
    np.testing.assert_allclose(found, expected, atol=4 * np.sqrt(expected.max() / 200_000))


def test_noise_differs_each_time() -> None:
    noise = LaplaceNoise(epsilon=1.0, per_table=0.001)
    assert not np.array_equal(noise.draw(50), noise.draw(50))


def test_the_budget_is_refused_when_it_is_spent_and_not_before() -> None:
    noise = LaplaceNoise(epsilon=0.3, per_table=0.1)
    noise.spend(2)
    with pytest.raises(RefusedError, match=r"2 more tables at 0.1 each, and 0.1 of 0.3") as caught:
        noise.spend(2)
    assert caught.value.is_spent
    noise.spend(1)
    assert noise.n_tables_left == 0


def test_what_is_spent_stays_spent_in_another_process(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    LaplaceNoise(epsilon=1.0, per_table=0.1, ledger=ledger).spend(4)
    assert LaplaceNoise(epsilon=1.0, per_table=0.1, ledger=ledger).n_tables_left == 6
    assert LaplaceNoise(epsilon=1.0, per_table=0.3, ledger=ledger).spent == pytest.approx(0.6)
    ledger.write_text("{}")
    with pytest.raises(ValueError, match="no ledger"):
        LaplaceNoise(epsilon=1.0, per_table=0.1, ledger=ledger)


def test_processes_that_share_a_ledger_share_the_budget(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    one, other = (LaplaceNoise(epsilon=1.0, per_table=0.1, ledger=ledger) for _ in range(2))
    one.spend(6)
    with pytest.raises(RefusedError, match=r"0.4 of 1 are left"):
        other.spend(5)
    other.spend(4)
    with pytest.raises(RefusedError):
        one.spend(1)


def test_threads_that_share_a_ledger_share_the_budget(tmp_path: Path) -> None:
    budgets = [LaplaceNoise(epsilon=1.0, per_table=0.02, ledger=tmp_path / "ledger.json") for _ in range(4)]

    def spend(noise: LaplaceNoise) -> int:
        spent = 0
        for _ in range(20):
            try:
                noise.spend(1)
            except RefusedError:
                break
            spent += 1
        return spent

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(spend, budgets)) == 50


TABLE, LABELS = make_table(80, seed=2)
SCHEMA = infer_schema(TABLE, actions=["sick", "well"])
RULES = [
    parse(text, schema=SCHEMA)
    for text in (
        "age > 60 and town = Bonn -> sick; dose > 3 -> sick; Default -> well",
        "smoker = true -> sick; Default -> well",
    )
]
CODED = CodedRuleSets.of_rulesets(RULES, SCHEMA, with_actions=True)
CUTS = (np.array([30.0, 50.0]), np.array([2.0]))
SUMS = Sums(np.array([[0, 1]]), np.array([4.0]))
CONTEXTS = np.array([[0, 0, 1], [0, 0, EXTEND], [1, 1, INSERT]])
REQUESTS: list[tuple[Sketch | Tables | Moves, int]] = [
    (Sketch(Agreement(SCHEMA), CUTS), 2),
    (Tables(Agreement(SCHEMA), CODED), 2),
    (Moves(Agreement(SCHEMA), CUTS, CODED, CONTEXTS), 3 * 4),
    (Moves(Agreement(SCHEMA), (*CUTS, np.array([50.0, 70.0])), CODED, CONTEXTS, SUMS), 3 * 5),
]


@pytest.mark.parametrize(("request_", "cost"), REQUESTS)
def test_every_kind_of_message_is_paid_for_and_refused_when_the_budget_is_spent(
    request_: Sketch | Tables | Moves, cost: int
) -> None:
    site = Site(TABLE, LABELS, name="here", noise=LaplaceNoise(epsilon=cost + 0.5, per_table=1.0))
    assert site.noise is not None
    assert isinstance(read_answer(site.answer(write_request(Describe()))), Summary)
    assert site.noise.spent == 0.0
    assert isinstance(read_answer(site.answer(write_request(request_))), Counted)
    assert site.noise.spent == cost
    for other, _ in REQUESTS:
        if other is not request_:  # the very same is answered alike, which tells nothing more
            answer = read_answer(site.answer(write_request(other)))
            assert isinstance(answer, Refusal)
            assert answer.is_spent


@pytest.mark.parametrize(("request_", "cost"), REQUESTS)
def test_one_row_changes_no_more_counts_than_are_paid_for(request_: Sketch | Tables | Moves, cost: int) -> None:
    """The law behind the budget: the counts with and without any one row differ by at most one in each table."""
    classes = np.array([SCHEMA.actions.index(label) for label in LABELS])
    columns = encode(TABLE, SCHEMA)
    whole = CountedRows(SCHEMA, columns, classes).count(request_)
    for row in range(0, 80, 4):
        kept = np.arange(80) != row
        without = CountedRows(SCHEMA, columns[:, kept], classes[kept]).count(request_)
        assert np.abs(whole - without).sum() <= cost == n_tables(request_)


def test_what_costs_nothing_does_not_depend_on_a_row() -> None:
    """Attack: summaries and refusals are free, so they must be the same with and without a remarkable row."""
    odd = pd.DataFrame({"age": [1e6], "dose": [np.nan], "town": ["Zwickau"], "smoker": [True]})
    tables = TABLE, pd.concat([TABLE, odd], ignore_index=True)
    kinds = ("numeric", "categorical", "boolean")
    hostile = [
        Schema([Feature(name, kind, categories=("1", "Zwickau") if kind == "categorical" else ())], ["rare", "well"])  # type: ignore[arg-type]
        for name in (*TABLE, "other")
        for kind in kinds
    ]
    hostile.append(Schema([Feature("age", low=0.0, high=1.0, step=1.0)], ["sick", "well"]))
    answers = []
    for table in tables:
        labels = [*LABELS, "rare"][: len(table)]
        site = Site(table, labels, name="here", noise=LaplaceNoise(epsilon=1e-9, per_table=1.0))
        told = [site.answer(write_request(Describe()))]
        for schema in hostile:
            coded = CodedRuleSets.of_rulesets([RuleSet((), schema.actions[0], schema)], schema, with_actions=False)
            told.append(site.answer(write_request(Tables(Agreement(schema), coded))))
        answers.append(told)
    assert answers[0] == answers[1]
    assert all(isinstance(read_answer(answer), Refusal) for answer in answers[0][1:])


@pytest.mark.parametrize("value", [0.0, -1.0, float("inf"), float("nan")])
def test_budgets_are_positive(value: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        LaplaceNoise(epsilon=value, per_table=0.1)


def test_small_counts_are_suppressed() -> None:
    assert suppressed(np.array([0, 1, 9, 10, -3]), 10).tolist() == [0, 0, 0, 10, 0]
    assert suppressed(np.array([0, 1, -3]), 1).tolist() == [0, 1, -3]
