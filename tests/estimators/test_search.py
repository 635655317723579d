"""Estimators run the engine with the settings, the end, the seeds and the threads that their parameters ask for."""

from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest

from evoter import EvoterClassifier, EvoterPolicy
from evoter.estimators.policy import CONTROL
from evoter.estimators.search import (
    count_threads,
    draw_seed,
    parsimony_is_free,
    refuse_unused,
    settings_of,
    stopping_of,
)
from evoter.evolution.settings import PRESETS
from evoter.evolution.stopping import Status
from patients import fitted
from tasks import mixed_problem


def test_settings_are_the_presets_with_what_is_chosen() -> None:
    model = EvoterClassifier(preset="paper", population_size=50, settings={"n_elites": 3})
    assert settings_of(model) == PRESETS["paper"].replace(population_size=50, n_elites=3)
    policy = EvoterPolicy("CartPole-v1", max_rules=3)
    assert settings_of(policy) == CONTROL.replace(max_rules=3)


def test_a_setting_is_given_once() -> None:
    model = EvoterClassifier(max_rules=3, settings={"max_rules": 4})
    with pytest.raises(ValueError, match=r"max_rules is given twice, as a parameter \(3\) and in settings \(4\)"):
        settings_of(model)


def test_islands_are_a_parameter() -> None:
    assert settings_of(EvoterClassifier(n_islands=3)).n_islands == 3
    model = fitted(n_islands=2, population_size=20, generations=6)
    assert model.history_["evaluations"][0] == 40
    assert model.history_["generation"].tolist() == list(range(7))
    with pytest.raises(ValueError, match=r"'n_islands' parameter .* Got 0 instead"):
        fitted(n_islands=0)
    with pytest.raises(ValueError, match="n_migrants has no effect on this run, since it needs n_islands above 1"):
        fitted(settings={"n_migrants": 3})


def test_settings_may_have_their_old_names() -> None:
    with pytest.warns(DeprecationWarning, match="'surplus' is now called 'oversampling'"):
        settings = settings_of(EvoterClassifier(settings={"surplus": 2}))
    assert settings.oversampling == 2


def test_parsimony_is_free_where_nobody_says_otherwise() -> None:
    assert parsimony_is_free(EvoterClassifier())
    for said in ({"parsimony": 0.1}, {"settings": {"parsimony": 0.1}}, {"preset": "paper"}):
        assert not parsimony_is_free(EvoterClassifier(**said))
    assert parsimony_is_free(EvoterPolicy("CartPole-v1"))


def test_a_run_stops_by_whichever_comes_first() -> None:
    model = EvoterClassifier(generations=10, patience=5, max_seconds=9, target_score=0.9)
    until = stopping_of(model, mixed_problem(1))
    for status in (Status(10, 0, 0, 0, 0), Status(0, 9, 0, 0, 0), Status(0, 0, 0.9, 0, 0), Status(0, 0, 0, 0, 5)):
        assert until.progress(status) >= 1.0
    assert until.progress(Status(9, 8, 0.8, 0, 4)) < 1.0
    assert stopping_of(model).progress(Status(0, 0, 0.9, 0, 0)) < 1.0, "without a problem there is no score"
    assert stopping_of(model, generations=3).progress(Status(3, 0, 0, 0, 0)) == 1.0


def test_threads_are_counted_as_jobs() -> None:
    cores = joblib.cpu_count()
    assert [count_threads(n) for n in (None, 1, 5, -1, -cores, -cores - 9)] == [1, 1, 5, cores, 1, 1]
    with pytest.raises(ValueError, match="n_jobs must not be 0"):
        count_threads(0)


def model(random_state: Any, checkpoint: Path | None = None) -> EvoterClassifier:
    return EvoterClassifier(random_state=random_state, checkpoint=checkpoint)


def test_seeds() -> None:
    assert draw_seed(model(3)) == draw_seed(model(3)) == draw_seed(model(np.random.RandomState(3)))
    assert draw_seed(model(3)) != draw_seed(model(4))
    assert draw_seed(model(None)) != draw_seed(model(None))
    state = np.random.RandomState(3)
    assert draw_seed(model(state)) != draw_seed(model(state)), "a generator moves on"


def test_a_fit_without_a_seed_takes_that_of_its_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    assert draw_seed(model(None, path)) != draw_seed(model(None, path))
    fitted(checkpoint=path, random_state=3)
    assert draw_seed(model(None, path)) == draw_seed(model(3))
    assert draw_seed(model(4, path)) == draw_seed(model(4))


def test_parameters_without_effect_are_refused() -> None:
    model = EvoterClassifier(select="knee")
    refuse_unused(model, "select", used=True, needs="a front")
    refuse_unused(model, "mode", used=False, needs="nothing, since it is at its default")
    with pytest.raises(ValueError, match="select='knee' has no effect here, since it needs a front: leave select out"):
        refuse_unused(model, "select", used=False, needs="a front")


def test_the_time_of_a_fit_begins_with_the_fit() -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = X[:, 0] > 0
    model = EvoterClassifier(generations=50, max_seconds=1e-6, population_size=40, random_state=0).fit(X, y)
    assert model.history_.n_generations == 1, "its time was over before the search began"
    free = EvoterClassifier(generations=5, max_seconds=1e6, population_size=40, random_state=0).fit(X, y)
    assert free.history_.n_generations == 6
    unlimited = EvoterClassifier(generations=5, population_size=40, random_state=0).fit(X, y)
    assert free.ruleset_ == unlimited.ruleset_
