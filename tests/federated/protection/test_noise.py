"""Tests of noise and its budget."""

from pathlib import Path

import numpy as np
import pytest

from evoter.federated import LaplaceNoise, RefusedError
from evoter.federated.protection.noise import discrete_laplace, suppressed


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


@pytest.mark.parametrize("value", [0.0, -1.0, float("inf"), float("nan")])
def test_budgets_are_positive(value: float) -> None:
    with pytest.raises(ValueError, match="above 0"):
        LaplaceNoise(epsilon=value, per_table=0.1)


def test_small_counts_are_suppressed() -> None:
    assert suppressed(np.array([0, 1, 9, 10, -3]), 10).tolist() == [0, 0, 0, 10, 0]
    assert suppressed(np.array([0, 1, -3]), 1).tolist() == [0, 1, -3]
