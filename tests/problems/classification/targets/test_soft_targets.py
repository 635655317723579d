"""Soft targets are labels, softened by predictions that no row has a part in."""

import numpy as np
import pytest

from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.targets.soft_targets import HeldOut, hold_out, judge, most_soft, soften


def task(n: int = 200, noise: float = 0.1) -> tuple[Floats, Ints]:
    """A threshold on the first of three lines, with some labels turned."""
    rng = np.random.default_rng(0)
    lines = rng.normal(size=(3, n))
    return lines, ((lines[0] > 0) ^ (rng.random(n) < noise)).astype(np.int64)


def predicted(lines: Floats, classes: Ints, weights: Floats | None = None) -> HeldOut:
    weights = np.ones(len(classes)) if weights is None else weights
    held_out = hold_out(lines, [True] * len(lines), classes, 2, weights)
    assert held_out is not None
    return held_out


def test_turned_labels_are_seen_through() -> None:
    lines, classes = task()
    truth = (lines[0] > 0).astype(np.int64)
    held_out = predicted(lines, classes)
    right = held_out.probabilities.argmax(axis=1) == truth
    assert right.mean() > 0.93
    turned = classes != truth
    assert right[turned].mean() > 0.8, "a row's own label has no part in its prediction"


def test_increasing_functions_of_columns_change_nothing() -> None:
    lines, classes = task()
    changed = np.array([np.exp(lines[0]), lines[1] ** 3, 5 * lines[2] - 1])
    assert np.array_equal(predicted(lines, classes).probabilities, predicted(changed, classes).probabilities)


def test_rows_that_are_there_twice_weigh_2_and_the_order_does_not_matter() -> None:
    lines, classes = task(120)
    times = np.random.default_rng(3).integers(1, 3, 120)
    heavy = predicted(lines, classes, times.astype(float)).probabilities
    again = predicted(lines.repeat(times, axis=1), classes.repeat(times)).probabilities
    assert np.array_equal(heavy.repeat(times, axis=0), again)
    turned = predicted(lines[:, ::-1], classes[::-1], times[::-1].astype(float)).probabilities
    assert np.array_equal(turned[::-1], heavy)


def test_few_rows_and_one_class_have_no_held_out_predictions() -> None:
    lines, classes = task(19)
    assert hold_out(lines, [True] * 3, classes, 2, np.ones(19)) is None
    lines, _ = task(50)
    assert hold_out(lines, [True] * 3, np.zeros(50, np.int64), 2, np.ones(50)) is None


def test_skill_is_being_better_than_one_answer_for_all() -> None:
    lines, classes = task()
    good = judge(predicted(lines, classes), np.eye(2) / 200)
    assert good.skilled
    assert good.error == pytest.approx(0.1, abs=0.06)
    shuffled = np.random.default_rng(1).permutation(classes)
    assert not judge(predicted(lines, shuffled), np.eye(2) / 200).skilled


@pytest.mark.parametrize(
    ("n_rows", "right", "skilled"), [(50, 28, False), (50, 32, True), (800, 430, False), (800, 450, True)]
)
def test_few_rows_need_fewer_standard_errors(n_rows: int, right: int, skilled: bool) -> None:
    """32 of 50 are 1.4 standard errors more than the half that one answer gets; 430 of 800 are 1.5, and too few."""
    classes = np.arange(n_rows) % 2
    said = np.where(np.arange(n_rows) < right, classes, 1 - classes)
    held_out = HeldOut(np.eye(2)[said], classes, np.ones(n_rows), np.ones(1))
    assert judge(held_out, np.eye(2) / n_rows).skilled == skilled


def test_models_of_few_rows_count_less() -> None:
    shares = [most_soft(n) for n in (20, 50, 100, 500, 2_000, 100_000)]
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(0.55, abs=0.01)
    assert shares[-1] == 0.95


def test_decisions_are_judged_by_their_rewards() -> None:
    """Where missing class 1 costs nine times as much, an answer of 1 is right from a probability of 0.1 on."""
    classes = (np.arange(100) % 5 == 0).astype(np.int64)
    held_out = HeldOut(np.array([[0.8, 0.2]] * 100), classes, np.ones(100), np.ones(1))
    costs = -np.array([[0.0, 1.0], [9.0, 0.0]]) / 100
    assert judge(held_out, costs).error == pytest.approx(0.8 / (0.8 + 0.2 * 9))


def test_softened_labels_are_probabilities() -> None:
    lines, classes = task()
    held_out = predicted(lines, classes)
    assert np.array_equal(soften(held_out.probabilities, held_out.classes, 0.0), np.eye(2)[classes])
    for share in (0.3, 0.7, 1.0):
        targets = soften(held_out.probabilities, held_out.classes, share)
        assert np.allclose(targets.sum(axis=1), 1.0)
        own = targets[np.arange(200), classes]
        assert (own >= 1.0 - share - 1 / 256).all()
        assert ((targets == 0.0) | (targets >= 0.017)).all()
        assert (targets * 512 == np.rint(targets * 512)).all(), "sums of them are exact"
