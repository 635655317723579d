"""Held-out numbers come from models that have not seen the row."""

import numpy as np

from evoter.problems.regression.held_out import hold_out_numbers


def test_they_predict_what_can_be_predicted_and_nothing_else() -> None:
    draw = np.random.default_rng(0)
    lines = draw.normal(size=(3, 400))
    signal = 2.0 * lines[0] + np.sin(3.0 * lines[1])
    found = hold_out_numbers(lines, [True] * 3, signal + 0.1 * draw.normal(size=400), np.ones(400))
    assert found is not None
    assert np.corrcoef(found.predictions, signal)[0, 1] > 0.95
    assert found.importances[2] == found.importances.min()
    noise = draw.normal(size=400)
    guessed = hold_out_numbers(lines, [True] * 3, noise, np.ones(400))
    assert guessed is not None
    assert np.corrcoef(guessed.predictions, noise)[0, 1] < 0.3


def test_copies_are_not_predicted_from_each_other() -> None:
    draw = np.random.default_rng(0)
    lines = np.repeat(draw.normal(size=(2, 60)), 5, axis=1)
    noise = np.repeat(draw.normal(size=60), 5)
    found = hold_out_numbers(lines, [True] * 2, noise, np.ones(300))
    assert found is not None
    assert np.corrcoef(found.predictions, noise)[0, 1] < 0.5


def test_too_little_tells_nothing() -> None:
    assert hold_out_numbers(np.zeros((1, 10)), [True], np.arange(10.0), np.ones(10)) is None
    assert hold_out_numbers(np.zeros((1, 50)), [True], np.ones(50), np.ones(50)) is None
