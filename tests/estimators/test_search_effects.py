"""Nothing is silently ignored: every setting changes the run of an estimator, or is refused by its name.

The walk goes over every setting and every kind of task. What a task declares to support decides what is expected;
the run of the estimator itself is what is checked.
"""

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeRegressor

import evoter
from evoter import EvoterClassifier, EvoterPrescriptor, EvoterTimeSeriesClassifier, dumps
from evoter.estimators.search import base_settings
from evoter.evolution.effects import NEEDS, OFF, Run, check_effects
from evoter.evolution.engine import Evolution
from evoter.evolution.problem import Capability, Declaring
from evoter.evolution.settings import DEFAULT, PAPER, Settings
from evoter.genome.arrays import compact

RNG = np.random.default_rng(0)
X = np.round(RNG.normal(size=(90, 3)), 1)
X[::7, 1] = np.nan
Y = np.where((np.nan_to_num(X[:, 0]) > 0.3) ^ (RNG.random(90) < 0.12), "yes", "no")
SERIES = np.round(RNG.normal(size=(90, 2, 4)), 1)
SERIES[::7, 1, :3] = np.nan
ACTIONS = RNG.choice(["diet", "drug"], 90)
SWITCHES = RNG.integers(0, 2, (90, 2)).astype(float)
AMOUNTS = RNG.random((90, 2))
SORTS = [
    list(row) for row in zip(X[:, 0].tolist(), X[:, 1].tolist(), RNG.choice(list("abcdef"), 90).tolist(), strict=True)
]


def outcomes(first: Any, second: Any) -> dict[str, Any]:
    """Return what comes of two actions, each good in other cases; one of them is the better the more expensive it is."""
    health = first * np.sign(X[:, 0] - 0.2) + second * np.sign(X[:, 2]) + 0.1 * X[:, 0] * X[:, 2] * first
    return {"health": health, "price": first * np.abs(X[:, 0]) + second * (X[:, 2] > 0.5)}


OF_LABELS = outcomes(1.0 * (ACTIONS == "drug"), 1.0 * (ACTIONS == "diet"))
QUICK: dict[str, Any] = {"population_size": 20, "generations": 12, "patience": None, "random_state": 0}
SUPPORT: dict[str, object] = {"refinement_interval": 3, "refinement_moves": 3, "refinement_tries": 2}


@dataclass(frozen=True)
class Kind:
    """A kind of task: an estimator with some parameters, what it is fitted to, and what it supports."""

    make: Callable[..., Any]
    data: tuple[Any, ...]
    supports: frozenset[Capability]
    n_objectives: int = 1


ALL = frozenset(Capability)
PRUNING = frozenset({Capability.FINAL_PRUNING})
REFINEMENT = frozenset({Capability.REFINEMENT})
MISSING = frozenset({Capability.MISSING_VALUES})
TABLE = frozenset({Capability.TABLE_ROWS})
SAMPLED = MISSING | {Capability.SAMPLES}
COMPARED = SAMPLED | {Capability.NOVELTY}


def share_of_yes(model: Any, X: Any, y: Any) -> float:
    predicted = model.predict(X)
    return float((predicted == y).mean() + 0.01 * (predicted == "yes").mean())


def classifier(**own: Any) -> Callable[..., Any]:
    return lambda **parameters: EvoterClassifier(**{**QUICK, **own, **parameters})


def prescriptor(**own: Any) -> Callable[..., Any]:
    predictor = DecisionTreeRegressor(min_samples_leaf=2, random_state=0)
    return lambda **parameters: EvoterPrescriptor(predictor, **{**QUICK, **own, **parameters})


def policy(**parameters: Any) -> Any:
    gymnasium = pytest.importorskip("gymnasium")
    from evoter import EvoterPolicy

    assert gymnasium
    quick = {
        **QUICK,
        "population_size": 12,
        "generations": 3,
        "n_episodes": 1,
        "n_validation": 1,
        "n_confirmation": 0,
        "target_score": 1e9,
    }
    return EvoterPolicy(**{**quick, "env": "CartPole-v1", "max_lag": 1, **parameters})


HEALTH = {"objectives": {"health": "maximise"}}
BOTH = {"objectives": {"health": "maximise", "price": "minimise"}}
KINDS = {
    "classifier": Kind(classifier(), (X, Y), ALL),
    "categories": Kind(classifier(), (SORTS, Y), ALL),
    "hardmax": Kind(classifier(mode="hardmax"), (X, Y), ALL - REFINEMENT),
    "vote": Kind(classifier(mode="vote"), (X, Y), ALL - REFINEMENT - PRUNING),
    "roc_auc": Kind(classifier(metric="roc_auc"), (X, Y), ALL - REFINEMENT - PRUNING),
    "f1": Kind(classifier(metric="f1_macro"), (X, Y), ALL - REFINEMENT - PRUNING),
    "cost": Kind(classifier(metric=np.array([[0.0, 1.0], [2.0, 0.0]])), (X, Y), ALL - PRUNING),
    "scorer": Kind(
        classifier(metric=share_of_yes, generations=6), (X, Y), frozenset({Capability.NOVELTY}) | MISSING | TABLE
    ),
    "front": Kind(classifier(objectives=["accuracy", "complexity"]), (X, Y), ALL - PRUNING, 2),
    "front by vote": Kind(
        classifier(objectives=["accuracy", "rules"], mode="vote"), (X, Y), ALL - REFINEMENT - PRUNING, 2
    ),
    "series": Kind(lambda **given: EvoterTimeSeriesClassifier(**{**QUICK, **given}), (SERIES, Y), ALL - TABLE),
    "prescriptor": Kind(prescriptor(**HEALTH), (X, ACTIONS, OF_LABELS), COMPARED | REFINEMENT),
    "prescriptor by hardmax": Kind(prescriptor(**HEALTH, mode="hardmax"), (X, ACTIONS, OF_LABELS), COMPARED),
    "several": Kind(prescriptor(**HEALTH, several=True), (X, SWITCHES, outcomes(*SWITCHES.T)), SAMPLED),
    "amounts": Kind(
        prescriptor(**HEALTH, actions={"salt": (0.0, 1.0), "sugar": (0.0, 2.0)}, generations=6),
        (X, AMOUNTS, outcomes(*AMOUNTS.T)),
        COMPARED,
    ),
    "prescriptor's front": Kind(prescriptor(**BOTH), (X, ACTIONS, OF_LABELS), COMPARED | REFINEMENT, 2),
    "policy": Kind(policy, (), frozenset()),
}

SELDOM = {"prune_equivalent_rules"}
"""Settings whose effect is too seldom for short runs: tests/kernels/variation/test_equivalence.py shows it."""

CHANGED: dict[str, tuple[object, dict[str, object]]] = {
    "population_size": (30, {}),
    "n_refined": (1, {}),
    "refinement_interval": (1, {}),
    "refinement_moves": (1, {}),
    "refinement_tries": (20, {}),
    "refinement_rows": (10, {}),
    "refinement_temperature": (9.0, {}),
    "n_elites": (2, {}),
    "max_rules": (2, {}),
    "max_conditions": (1, {}),
    "max_initial_rules": (1, {}),
    "max_initial_conditions": (1, {}),
    "tournament_size": (9, {}),
    "parsimony": (5.0, {}),
    "crossover_rate": (0.1, {}),
    "crossovers": ((1.0, 0.0, 0.0), {}),
    "mutation_rate": (0.1, {}),
    "mutation_levels": ((1.0, 0.0), {}),
    "ruleset_mutations": ((1.0, 0.0, 0.0, 0.0), {}),
    "rule_mutations": ((1.0, 0.0, 0.0), {}),
    "condition_strategies": ((0.0, 0.0, 1.0), {}),
    "condition_mutations": ((0.0, 0.0, 0.0, 1.0), {}),
    "prune_equivalent_rules": (True, {"constant_coefficients": True}),
    "oversampling": (4, {}),
    "operators": ((0.0, 0.0, 1.0, 0.0, 0.0, 1.0), {}),
    "comparison_rate": (0.9, {}),
    "max_power": (3, {"comparison_rate": 0.9}),
    "sum_rate": (0.5, {}),
    "set_rate": (1.0, {}),
    "missing_rate": (0.9, {}),
    "uniform_constants": (True, {}),
    "constant_coefficients": (True, {}),
    "composite": (0.5, {}),
    "novelty_interval": (1, {}),
    "novelty_pool": (3, {"novelty_interval": 1}),
    "evaluation_rows": (40, {}),
    "sample_rounds": (2, {}),
    "n_age_layers": (2, {}),
    "unlock_interval": (8, {}),
    "unlock_stagnation": (8, {}),
    "n_islands": (2, {}),
    "migration_interval": (1, {"n_islands": 2}),
    "n_migrants": (1, {"n_islands": 2, "migration_interval": 1}),
    "majority_actions": (False, {"n_refined": 0, "population_size": 2}),
    "soft_targets": (0.0, {}),
}
"""For each setting another value, and other settings without which it has no effect."""


OF_POLICIES = {"max_initial_conditions": 2, "oversampling": 1}
"""Other values for policies, whose defaults are others."""


class Watched:
    """Remembers the last generation of a run, and its task."""

    def __init__(self) -> None:
        self.problem: Declaring | None = None
        self.digest = hashlib.sha256()

    def __call__(self, evolution: Evolution, progress: float) -> None:
        self.problem = evolution.problem  # type: ignore[assignment]
        population = compact(evolution.population)
        for array in (*population.antecedents, *population[1:], evolution.evaluation.scores):
            self.digest.update(np.ascontiguousarray(array).data)


@cache
def outcome(kind: str, settings: tuple[tuple[str, object], ...], seed: int) -> tuple[str, Declaring]:
    """Return a digest of a run and of what it found, and its task."""
    watched = Watched()
    named = {name: value for name, value in settings if name == "population_size"}
    others = {name: value for name, value in settings if name != "population_size"}
    model = KINDS[kind].make(**{"settings": others, "watchers": [watched], "random_state": seed, **named})
    model.fit(*KINDS[kind].data)
    assert watched.problem is not None
    return watched.digest.hexdigest() + dumps(model.ruleset_), watched.problem


def runs(kind: str, settings: dict[str, object], seed: int = 0) -> str:
    refines = Capability.REFINEMENT in KINDS[kind].supports and settings.get("n_refined") != 0
    supported = SUPPORT if refines else {}
    return outcome(kind, tuple({**supported, **settings}.items()), seed)[0]


def test_every_setting_is_declared() -> None:
    names = [field.name for field in fields(Settings)]
    assert list(NEEDS) == names
    assert list(CHANGED) == names
    assert set(OFF) <= set(names)


@pytest.mark.parametrize("kind", KINDS)
def test_tasks_declare_what_they_support(kind: str) -> None:
    problem = outcome(kind, (), 0)[1]
    assert problem.capabilities == KINDS[kind].supports
    assert len(problem.objectives) == KINDS[kind].n_objectives


NEVER_REFUSED = {name for name, needs in NEEDS.items() if not needs}


@pytest.mark.parametrize("kind", KINDS)
def test_every_setting_has_an_effect_or_is_refused(kind: str) -> None:
    """A setting that is accepted changes the run for one of some seeds; the default values are never refused."""
    problem = outcome(kind, (), 0)[1]
    base = base_settings(KINDS[kind].make())
    ignored = []
    for name, (value, others) in CHANGED.items():
        value = OF_POLICIES.get(name, value) if kind == "policy" else value  # noqa: PLW2901
        run = Run(problem, base.replace(**{**others, name: value}), selects_by_price=True)
        if all(need.is_met(run) for need in NEEDS[name]):
            found = ((runs(kind, others, seed), runs(kind, {**others, name: value}, seed)) for seed in range(6))
            if name not in SELDOM and not any(plain != changed for plain, changed in found):
                ignored.append(name)
        else:
            assert name not in NEVER_REFUSED
            if name in OFF and OFF[name] == value:
                continue
            with pytest.raises(ValueError, match=r"has no effect on this run, since it needs .*: leave \w+ out"):
                runs(kind, {**others, name: value})
            runs(kind, {name: getattr(base, name)})
    assert not ignored


@pytest.mark.parametrize(
    ("name", "value", "others"),
    [
        ("refinement_moves", 9, {"n_refined": 0}),
        ("max_power", 2, {"comparison_rate": 0.0}),
        ("crossovers", (1, 0, 0), {"crossover_rate": 0.0}),
        ("mutation_levels", (1, 0), {"mutation_rate": 0.0}),
        ("ruleset_mutations", (1, 0, 0, 0), {"mutation_levels": (0, 1)}),
        ("rule_mutations", (1, 0, 0), {"mutation_levels": (1, 0)}),
        ("condition_strategies", (1, 0, 0), {"rule_mutations": (1, 0, 0)}),
        ("condition_mutations", (1, 0, 0, 0), {"condition_strategies": (0, 1, 0)}),
        ("novelty_pool", 4, {}),
        ("unlock_interval", 3, {"sum_rate": 0.0}),
    ],
)
def test_settings_that_another_one_switches_off_are_refused(name: str, value: object, others: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"the setting {name} has no effect on this run"):
        EvoterClassifier(**QUICK, settings={name: value, **others}).fit(X, Y)


def test_what_is_off_anyway_may_be_switched_off() -> None:
    off = {name: value for name, value in OFF.items() if name != "parsimony"}
    policy(settings=off).fit()
    EvoterClassifier(**QUICK, mode="vote", settings=off).fit(X, Y)


def test_parsimony_of_a_front_needs_somebody_who_reads_it() -> None:
    front = {"objectives": ["f1_macro", "complexity"], **QUICK}
    EvoterClassifier(**front, parsimony=0.1).fit(X, Y)
    with pytest.raises(ValueError, match="the setting parsimony has no effect on this run"):
        EvoterClassifier(**front, parsimony=0.1, select="knee").fit(X, Y)


def test_the_settings_of_presets_are_never_refused() -> None:
    for settings in (DEFAULT, PAPER):
        for kind in KINDS:
            check_effects(settings.as_dict(), settings, Run(outcome(kind, (), 0)[1], settings))


FRAME = pd.DataFrame({"id": np.repeat(np.arange(4), 3), "t": np.tile(np.arange(3), 4), "x": np.arange(12.0)})

REFUSED: dict[str, list[tuple[Callable[..., Any], dict[str, Any], tuple[Any, ...]]]] = {
    "EvoterClassifier": [
        (classifier(), {"feature_prices": {"x0": 1.0}}, (X, Y)),
        (classifier(), {"monotone_order": ["no", "yes"]}, (X, Y)),
        (classifier(objectives=["matthews", "rules"]), {"parsimony": 0.1}, (X, Y)),
    ],
    "EvoterTimeSeriesClassifier": [
        (EvoterTimeSeriesClassifier, {"feature_prices": {"x0": 1.0}}, (SERIES, Y)),
        (EvoterTimeSeriesClassifier, {"monotone_order": ["no", "yes"]}, (SERIES, Y)),
        (EvoterTimeSeriesClassifier, {"padded": False}, (list(SERIES), Y)),
        (EvoterTimeSeriesClassifier, {"id_column": "id"}, (SERIES, Y)),
        (EvoterTimeSeriesClassifier, {"time_column": "t"}, (SERIES, Y)),
        (EvoterTimeSeriesClassifier, {"step": 1.0}, (SERIES, Y)),
        (
            lambda **given: EvoterTimeSeriesClassifier(**given, id_column="id", time_column="t"),
            {"padded": False},
            (FRAME, [0, 1, 0, 1]),
        ),
        (
            lambda **given: EvoterTimeSeriesClassifier(**given, **QUICK, objectives=["matthews", "rules"]),
            {"parsimony": 0.1},
            (SERIES, Y),
        ),
    ],
    "EvoterPrescriptor": [
        (prescriptor(**HEALTH), {"fallback": "diet"}, (X, ACTIONS, OF_LABELS)),
        (prescriptor(**HEALTH), {"monotone_order": sorted(set(ACTIONS))}, (X, ACTIONS, OF_LABELS)),
        (prescriptor(**HEALTH, several=True), {"mode": "first"}, (X, SWITCHES, outcomes(*SWITCHES.T))),
        (prescriptor(**HEALTH, actions={"salt": (0.0, 1.0)}), {"several": True}, (X, AMOUNTS[:, :1], OF_LABELS)),
        (
            lambda **given: EvoterPrescriptor(DecisionTreeRegressor().fit(np.zeros((2, 5)), [0.0, 1.0]), **given),
            {"n_predictors": 3},
            (X, ACTIONS),
        ),
        (prescriptor(**BOTH, mode="hardmax"), {"parsimony": 0.1}, (X, ACTIONS, OF_LABELS)),
    ],
    "EvoterPolicy": [
        (policy, {"n_examples": 50}, ()),
        (policy, {"examples_from": "policies"}, ()),
        (policy, {"retrain_after": 2}, ()),
        (policy, {"monotone_order": ["Left", "Right"]}, ()),
        (lambda **given: policy(**given, preset="paper"), {"hard_share": 0.5}, ()),
        (lambda **given: policy(**given, preset="paper"), {"n_changes": 9}, ()),
        (policy, {"action_levels": 3}, ()),
        (
            lambda **given: policy(**given, env="Pendulum-v1", action_levels=2, target_score=None),
            {"n_confirmation": 7},
            (),
        ),
    ],
}
"""For each estimator, parameters that have no effect beside some others or on some data."""

ALWAYS = {
    "generations patience max_seconds target_score population_size n_islands max_rules max_conditions forms settings "
    "initial_rulesets checkpoint watchers n_jobs executor random_state verbose": REFUSED,
    "preset metric objectives select constraints mode class_weight": ("EvoterClassifier", "EvoterTimeSeriesClassifier"),
    "categorical units": ("EvoterClassifier", "EvoterPrescriptor"),
    "max_lag windows channels units": ("EvoterTimeSeriesClassifier",),
    "preset predictor objectives select actions context action_costs caution constraints": ("EvoterPrescriptor",),
    "pinned forbidden_features forbidden monotone": REFUSED,
    "preset env max_lag feature_names units action_names n_episodes n_validation surrogate restart_after parsimony": (
        "EvoterPolicy",
    ),
}
"""Parameters that always have an effect, or set a limit that a run may or may not reach, by estimators."""


@pytest.mark.parametrize("name", REFUSED)
def test_every_parameter_has_an_effect_or_is_refused(name: str) -> None:
    refused = {parameter for _, given, _ in REFUSED[name] for parameter in given}
    always = {parameter for names, estimators in ALWAYS.items() if name in estimators for parameter in names.split()}
    assert refused | always == set(inspect.signature(getattr(evoter, name)).parameters)
    for make, given, data in REFUSED[name]:
        (parameter,) = given
        with pytest.raises(ValueError, match=rf"{parameter}.* (has|have) no effect|{parameter}.* for data frames"):
            make(**given).fit(*data)
