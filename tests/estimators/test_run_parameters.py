"""Parameters of estimators say how a run goes."""

from evoter import EvoterClassifier
from evoter.estimators.run_parameters import parsimony_is_free, settings_of, stopping_of
from evoter.evolution.settings import PRESETS
from evoter.evolution.stopping import Status


def test_settings_are_the_presets_with_what_is_said() -> None:
    model = EvoterClassifier(preset="paper", population_size=50, settings={"n_elites": 3})
    assert settings_of(model) == PRESETS["paper"].replace(population_size=50, n_elites=3)


def test_parsimony_is_free_where_nobody_says_otherwise() -> None:
    assert parsimony_is_free(EvoterClassifier())
    for said in ({"parsimony": 0.1}, {"settings": {"parsimony": 0.1}}, {"preset": "paper"}):
        assert not parsimony_is_free(EvoterClassifier(**said))


def test_a_run_stops_by_whichever_comes_first() -> None:
    until = stopping_of(EvoterClassifier(generations=10, patience=5, max_seconds=9, target_score=0.9), maximise=True)
    for status in (Status(10, 0, 0, 0, 0), Status(0, 9, 0, 0, 0), Status(0, 0, 0.9, 0, 0), Status(0, 0, 0, 0, 5)):
        assert until.progress(status) >= 1.0
    assert until.progress(Status(9, 8, 0.8, 0, 4)) < 1.0
