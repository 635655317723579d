"""The rule sets that the paper prints, played and counted."""

import numpy as np
import pandas as pd
import pytest

from evoter.experiments.printed_rules import count_printed, play_printed, printed_rules


def test_the_printed_bird_does_not_fly() -> None:
    pytest.importorskip("gymnasium")
    as_printed, exchanged = play_printed("flappy_bird", "evoter/FlappyBird-v0", 3)
    assert as_printed == 32
    assert exchanged < 100


def test_counts_are_those_of_the_antecedents() -> None:
    rng = np.random.default_rng(0)
    rules = printed_rules("heart_failure")
    names = [name.replace(".", "_") for name in rules.schema.names]
    table = pd.DataFrame({name: rng.random(40) for name in names})
    table["sex"] = pd.Categorical(rng.choice(["female", "male"], 40))
    found = count_printed("heart_failure", table)
    assert found["evolved_rules"] == 46
    assert 0 < found["rules"] <= 46
    assert found["deciding"] <= found["rules"]
    assert found["active"] <= found["rules"]
