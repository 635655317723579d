"""An outcome is measures, and more where there is more."""

from evoter.experiments.outcome import Outcome


def test_nothing_but_measures_is_needed() -> None:
    outcome = Outcome({"accuracy": 0.5})
    assert (dict(outcome.curves), outcome.rules, outcome.features, outcome.seconds) == ({}, "", (), 0.0)
