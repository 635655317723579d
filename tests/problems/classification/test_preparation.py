"""Before a search, rows get soft targets, and a condition a price that follows from the noise in the labels."""

import numpy as np
import pytest

from evoter.kernels.layout import Floats
from evoter.problems.classification import preparation
from evoter.problems.classification.preparation import prepare
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules.schema import Feature, Schema

SCHEMA = Schema([Feature("x"), Feature("y")], ["no", "yes"])


def task(n: int = 300, noise: float = 0.1, measure: str | Floats = "accuracy") -> ClassificationProblem:
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(2, n))
    classes = ((columns[0] > 0) ^ (rng.random(n) < noise)).astype(np.int64)
    return ClassificationProblem(SCHEMA, columns, classes, measure=measure)


def test_noisy_labels_make_conditions_dear() -> None:
    prices = []
    for noise in (0.02, 0.1, 0.3):
        prepared = prepare(task(noise=noise), softness=0.7)
        assert prepared.judged is not None
        assert prepared.judged.skilled
        prices.append(prepared.price)
    assert prices == sorted(prices)
    assert prices[0] >= 0.2 / 300, "a fifth of a row at least"


def test_without_skill_the_price_is_beyond_chance() -> None:
    prepared = prepare(task(noise=0.5), softness=0.7)
    assert prepared.judged is not None
    assert not prepared.judged.skilled
    assert prepared.price > 0.1
    assert prepared.problem.class_weights().tolist() == task(noise=0.5).class_weights().tolist(), "labels as they are"


def test_too_many_classes_are_not_held_out() -> None:
    """A forest stores the classes of every leaf: with 300 of them it would take gigabytes and say nothing."""
    rng = np.random.default_rng(0)
    schema = Schema([Feature("x")], [f"k{number}" for number in range(300)])
    plain = ClassificationProblem(schema, rng.normal(size=(1, 6_000)), np.arange(6_000) % 300)
    prepared = prepare(plain, softness=0.7)
    assert prepared.judged is None
    assert prepared.problem is plain


def test_without_softness_or_time_there_are_no_held_out_predictions() -> None:
    plain = task()
    for options in ({"softness": 0.0}, {"softness": 0.7, "seconds": 0.01}):
        prepared = prepare(plain, **options)  # type: ignore[arg-type]
        assert prepared.problem is plain
        assert prepared.judged is None
        assert prepared.price == pytest.approx(0.06 / np.sqrt(300))


def test_many_rows_are_searched_by_their_labels_at_a_price_from_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "MAX_ROWS", 100)
    plain = task()
    prepared = prepare(plain, softness=0.7)
    assert prepared.problem.fingerprint() == plain.fingerprint()
    assert prepared.judged is not None
    assert 0.2 / 300 <= prepared.price < 0.06 / np.sqrt(300)


def test_the_price_is_in_the_unit_of_the_score() -> None:
    cheap, dear = (prepare(task(measure=np.array([[0.0, c], [c, 0.0]])), softness=0.7).price for c in (1.0, 100.0))
    assert dear == pytest.approx(100 * cheap)
    assert cheap == pytest.approx(prepare(task(), softness=0.7).price)
