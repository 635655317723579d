"""Tests of differences reject what is not so, as seldom as they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from evoter.cli.comparison.significance import Discordant, balanced_p_value, holm, mcnemar_p_value


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=4))
def test_mcnemar_counts_all_classes_alike(pairs: list[tuple[int, int]]) -> None:
    wins, losses = sum(win for win, _ in pairs), sum(loss for _, loss in pairs)
    expected = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert mcnemar_p_value([Discordant(60, *pair) for pair in pairs]) == pytest.approx(expected)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=2, max_size=4))
def test_the_balanced_test_is_symmetric_and_never_certain(pairs: list[tuple[int, int]]) -> None:
    p_value = balanced_p_value([Discordant(60, win, loss) for win, loss in pairs])
    assert 0 < p_value <= 1
    assert p_value == pytest.approx(balanced_p_value([Discordant(60, loss, win) for win, loss in pairs]))


@pytest.mark.parametrize("opposed", [0.0, 0.4], ids=["alike in each class", "opposite in two classes"])
def test_models_of_the_same_balanced_accuracy_seldom_differ_significantly(opposed: float) -> None:
    """Of two models, one finds as much more of one class as the other finds more of the other class."""
    rng = np.random.default_rng(0)
    rejected = 0
    for _ in range(1000):
        counts = []
        for n_rows, shift in ((40, opposed), (400, -opposed)):
            wins, losses, _ = rng.multinomial(n_rows, [0.25 + shift / 2, 0.25 - shift / 2, 0.5]).tolist()
            counts.append(Discordant(n_rows, wins, losses))
        rejected += balanced_p_value(counts) < 0.05
    assert rejected / 1000 < 0.07


def test_finding_a_rare_class_is_significant_though_accuracy_is_lower() -> None:
    counts = [Discordant(39, 35, 0), Discordant(336, 10, 60)]
    assert balanced_p_value(counts) < 0.001


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_corrected_p_values_are_larger_and_keep_their_order(p_values: list[float]) -> None:
    corrected = holm(p_values)
    assert all(one >= other for one, other in zip(corrected, p_values, strict=True))
    assert all(one <= min(1.0, len(p_values) * other) for one, other in zip(corrected, p_values, strict=True))
    ranked = [corrected[index] for index in np.argsort(p_values, kind="stable")]
    assert ranked == sorted(ranked)
    assert min(corrected) == pytest.approx(min(1.0, len(p_values) * min(p_values)))
