"""Runners know what they measure and which settings they take."""

import pytest

from evoter.experiments.runners import RUNNERS, Outcome


@pytest.mark.parametrize("name", [name for name, runner in RUNNERS.items() if runner.module])
def test_settings_are_known_by_the_runner(name: str) -> None:
    runner = RUNNERS[name]
    assert runner.unknown_settings({"no such thing": 1}) == ["no such thing"]
    missing = runner.missing_settings({})
    assert runner.unknown_settings(dict.fromkeys(missing)) == []
    assert runner.missing_settings(dict.fromkeys(missing)) == []


def test_a_run_is_that_of_the_module() -> None:
    found = RUNNERS["boundaries"].perform("linear", ["rule"], 0, {"n_examples": 20})
    assert set(found["rule"].measures) <= set(RUNNERS["boundaries"].measures)


def test_digits_shown_are_no_fewer_than_those_compared() -> None:
    """Else a table would show two equal figures and call one worse."""
    for runner in RUNNERS.values():
        for measure in runner.measures.values():
            assert measure.share or measure.shown_digits >= measure.digits


def test_nothing_but_measures_is_needed() -> None:
    outcome = Outcome({"accuracy": 0.5})
    assert (dict(outcome.curves), outcome.rules, outcome.features, outcome.seconds) == ({}, "", (), 0.0)
