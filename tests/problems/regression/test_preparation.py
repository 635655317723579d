"""What a search needs to know: targets between label and prediction, and a price that chance cannot pay."""

import numpy as np
import pytest

from evoter.problems.regression.losses import Metric
from evoter.problems.regression.preparation import LEAST_PRICE, prepare
from evoter.problems.regression.problem import RegressionProblem
from evoter.rules.schema import Feature, Schema, Target

SCHEMA = Schema([Feature("a"), Feature("b")], target=Target())


@pytest.mark.parametrize("metric", ["squared", "absolute", "quantile"])
def test_targets_are_denoised(metric: Metric) -> None:
    draw = np.random.default_rng(0)
    columns = draw.normal(size=(2, 300))
    signal = np.where(columns[0] > 0.0, 4.0, 0.0)
    problem = RegressionProblem(SCHEMA, columns, signal + draw.normal(size=300), metric=metric)
    prepared = prepare(problem, softness=0.7)
    before, after = (np.abs(each - signal).mean() for each in (problem.numbers, prepared.problem.targets))
    assert after < 0.6 * before
    assert prepared.held_out_loss is not None
    assert prepared.price >= LEAST_PRICE


def test_noise_has_a_high_price() -> None:
    draw = np.random.default_rng(0)
    columns = draw.normal(size=(2, 300))
    noise = prepare(RegressionProblem(SCHEMA, columns, draw.normal(size=300)), softness=0.7)
    signal = prepare(RegressionProblem(SCHEMA, columns, columns[0] + 0.1 * draw.normal(size=300)), softness=0.7)
    assert noise.price > 20 * signal.price
    assert noise.problem.targets is noise.problem.numbers
    assert prepare(noise.problem, softness=0.0).held_out_loss is None
