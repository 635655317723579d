"""Diabetes: which medication to give, for fewer readmissions and better discharges at once."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GroupShuffleSplit

from evoter import EvoterPrescriptor
from evoter.estimators.prescription.policy_value import PolicyReport
from evoter.evolution.engine import Evolution
from evoter.evolution.mechanisms.nsga2 import as_costs
from evoter.experiments.prescription.data import SCORES, Stays, diabetes, network
from evoter.experiments.prescription.heart_failure import counted
from evoter.experiments.prescription.networks import best_scores, evolve_network
from evoter.experiments.runners import Outcome
from evoter.kernels.fronts.hypervolume import hypervolume
from evoter.kernels.layout import Floats
from evoter.problems.deciding import decide_columns
from evoter.rules.model import RuleSet
from evoter.tables import encode

SUPPORTED = 500
"""Stays with a medication from which on the data are taken to say something about it."""

QUICK_REFINEMENT = {"refinement_rows": 2_000, "refinement_moves": 500}
"""For tables of many rows and actions, where the scores of neighbouring rows are alike."""

PRESETS = {"rules": "default", "rules-paper": "paper"}
"""The two kinds of rule sets and their presets."""

PAPER_GENERATIONS = 40
"""Number of generations after which the paper reports its population."""

NO_READMISSION, HOME = "NO", "home"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcomes by model, and the policy at the knee of the front with what it is worth to other patients."""

    outcomes: dict[str, Outcome]
    policy: EvoterPrescriptor
    report: PolicyReport
    example: Any


def compare(
    seed: int,
    *,
    rows: int | None = None,
    generations: int = 100,
    population_size: int = 100,
    supported: bool = False,
    networks: bool = True,
    with_paper: bool = True,
) -> Comparison:
    """Split the patients, learn what becomes of them, and evolve fronts of rule sets and of networks.

    Evolution sees `rows` of the training stays, None for all; the policy is evaluated on all stays of the others. With
    `supported`, only medications that the data say something about are prescribed. `with_paper` evolves rule sets with
    the preset "paper" as well.
    """
    stays, train, test, fitted, predictor = _prepared(seed)
    given = [name for name in stays.medications.columns if not supported or stays.medications[name].sum() >= SUPPORTED]
    found = {"predictor": predictor, "history": _history(stays)}
    train = _some(train, rows, seed)
    fronts = {
        name: _evolve_rules(fitted, given, train, seed, preset, generations, population_size)
        for name, preset in PRESETS.items()
        if name == "rules" or with_paper
    }
    model = fronts["rules"].model
    outcomes = model.predicted_outcomes(train.context)
    done = model.outcome_model_.scores(train.context.join(train.medications)).mean(axis=0)
    names = [objective.name for objective in model.front_.objectives]
    chances = {
        "readmission": _chances(fitted["readmission"], train, given, NO_READMISSION),
        "discharge": _chances(fitted["discharge"], train, given, HOME),
    }
    valued = {name: _value_knee(each.model, test) for name, each in fronts.items()}
    measured = {name: _measure_front(each, valued[name], train, given, chances) for name, each in fronts.items()}
    measures = dict(measured["rules"].measures)
    if networks:
        black_box = evolve_network(model, train.context, outcomes, seed, generations, done)
        reference = dict(zip(names, done.tolist(), strict=True))
        theirs = _dominated(black_box.result.front_scores, model, done)
        measures["hypervolume"] = model.front_.hypervolume(reference) / theirs if theirs > 0 else np.nan
        found["network"] = Outcome(
            dict(zip(names, best_scores(black_box.result.front_scores, model), strict=True)),
            {name: tuple(black_box.best[:, index].tolist()) for index, name in enumerate(names)},
            seconds=black_box.seconds,
        )
    found |= measured
    found["rules"] = replace(measured["rules"], measures=measures)
    found["one"] = Outcome({name: float(outcomes[:, :, at].mean(axis=0).max()) for at, name in enumerate(names)})
    found["possible"] = Outcome({name: float(outcomes[:, :, at].max(axis=1).mean()) for at, name in enumerate(names)})
    found["done"] = Outcome(dict(zip(names, done.tolist(), strict=True)))
    return Comparison(found, *valued["rules"], test.context.iloc[:1])


class Evolved(NamedTuple):
    """A fitted front, its best scores over generations, the rule sets of generations 0 and 40, and the time taken."""

    model: EvoterPrescriptor
    curve: list[list[float]]
    generations: dict[str, list[RuleSet]]
    seconds: float


def _evolve_rules(
    fitted: dict[str, Any],
    given: Sequence[str],
    train: Stays,
    seed: int,
    preset: str,
    generations: int,
    population_size: int,
) -> Evolved:
    curve: list[list[float]] = []
    kept: dict[str, list[RuleSet]] = {}

    def follow(evolution: Evolution, progress: float) -> None:
        curve.append(best_scores(evolution.evaluation.scores, model))
        if evolution.generation in (0, min(PAPER_GENERATIONS, generations)):
            kept["last" if evolution.generation else "first"] = evolution.leaders(population_size)

    model = EvoterPrescriptor(
        fitted,
        objectives=SCORES,
        actions=given,
        watchers=[follow],
        preset=preset,
        population_size=population_size,
        generations=generations,
        patience=None,
        settings=QUICK_REFINEMENT if preset == "default" else None,
        n_jobs=2,
        random_state=seed,
    )
    begin = time.perf_counter()
    model.fit(train.context, train.medications, train.outcomes)
    if model.stop_reason_ == "interrupted":
        raise KeyboardInterrupt
    return Evolved(model, curve, kept, time.perf_counter() - begin)


def _value_knee(model: EvoterPrescriptor, test: Stays) -> tuple[EvoterPrescriptor, PolicyReport]:
    """Return the policy at the knee of a front, and what it is worth to other patients.

    That takes most of the time of a short run: a second predictor is fitted for every fold of the patients.
    """
    policy = model.with_ruleset(model.front_.select("knee"))
    return policy, policy.evaluate(test.context, test.medications, test.outcomes, groups=test.patients)


def _measure_front(
    evolved: Evolved,
    valued: tuple[EvoterPrescriptor, PolicyReport],
    train: Stays,
    given: Sequence[str],
    chances: dict[str, Floats],
) -> Outcome:
    """Return what a front of rule sets is worth, and how the population improved."""
    model = evolved.model
    names = [objective.name for objective in model.front_.objectives]
    policy, report = valued
    measures = dict(zip(names, best_scores(model.front_.scores, model), strict=True))
    measures |= _best_shares(model, train, given, chances)
    measures |= {f"{name}_judged": report[name].judged.value for name in names}
    if report.overlap is not None:
        measures["overlap"] = float(report.overlap.agreed.mean())
    measures |= {"rules": len(policy.ruleset_.rules), "conditions": policy.ruleset_.n_conditions}
    rows = np.arange(len(train.context))
    columns = encode(train.context, model.schema_)
    for moment, rulesets in evolved.generations.items():
        taken = [decide_columns(ruleset, columns).actions for ruleset in rulesets]
        shares = [float(chances["readmission"][rows, actions].mean()) for actions in taken]
        measures[f"{moment}_no_readmission"] = float(np.mean(shares))
    curves = {name: tuple(each[index] for each in evolved.curve) for index, name in enumerate(names)}
    return Outcome(measures, curves, counted(policy), seconds=evolved.seconds)


@lru_cache(maxsize=1)  # one seed after the other, each with several sets of medications
def _prepared(seed: int) -> tuple[Stays, Stays, Stays, dict[str, Any], Outcome]:
    """Return all stays, those to learn from and the others, the fitted predictors, and how good they are."""
    stays = diabetes()
    train, test = patients_apart(stays, seed)
    table = train.context.join(train.medications)
    fitted = {name: network(seed).fit(table, train.outcomes[name]) for name in SCORES}
    return stays, train, test, fitted, _predictors(fitted, train, test)


def patients_apart(stays: Stays, seed: int) -> tuple[Stays, Stays]:
    """Split stays in two thirds and one, no patient in both."""
    splitter = GroupShuffleSplit(1, test_size=1 / 3, random_state=seed)
    train, test = next(splitter.split(stays.context, groups=stays.patients))
    return stays.rows(train), stays.rows(test)


def _some(stays: Stays, n: int | None, seed: int) -> Stays:
    if n is None or n >= len(stays.context):
        return stays
    return stays.rows(np.sort(np.random.default_rng(seed).choice(len(stays.context), n, replace=False)))


def _predictors(fitted: dict[str, Any], train: Stays, test: Stays) -> Outcome:
    """Return how often predictions are right, and those of two others that show what can be expected."""
    table = test.context.join(test.medications)
    accuracy = {name: accuracy_score(test.outcomes[name], model.predict(table)) for name, model in fitted.items()}
    measures = {f"{name}_accuracy": float(value) for name, value in accuracy.items()}
    for name in SCORES:
        most_frequent = train.outcomes[name].mode()[0]
        measures[f"{name}_majority"] = float((test.outcomes[name] == most_frequent).mean())
    boosting = HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=0)
    boosting.fit(train.context.join(train.medications), train.outcomes["readmission"])
    measures["readmission_boosting"] = float(boosting.score(table, test.outcomes["readmission"]))
    return Outcome(measures)


def _history(stays: Stays) -> Outcome:
    happened = stays.outcomes
    scores = {name: float(happened[name].map(dict(points)).astype(float).mean()) for name, points in SCORES.items()}
    shares = {
        "no_readmission": float((happened["readmission"] == NO_READMISSION).mean()),
        "home": float((happened["discharge"] == HOME).mean()),
    }
    return Outcome({**scores, **shares})


def _best_shares(
    model: EvoterPrescriptor, stays: Stays, given: Sequence[str], chances: dict[str, Floats]
) -> dict[str, float]:
    """Return how often the predictor expects no readmission, and a discharge home, of the policy with most of both."""
    rows = np.arange(len(stays.context))
    shares = []
    for number in range(len(model.front_)):
        prescribed = model.with_ruleset(number).prescribe(stays.context)
        actions = np.array([given.index(name) for name in prescribed.tolist()])
        shares.append((chances["readmission"][rows, actions].mean(), chances["discharge"][rows, actions].mean()))
    best = max(shares, key=sum)
    return {"no_readmission": float(best[0]), "home": float(best[1])}


def _chances(model: Any, stays: Stays, given: Sequence[str], label: str) -> Floats:
    """Return the chance [stay, medication] that a predictor sees of an outcome if one medication is given."""
    nothing = pd.DataFrame(0, index=stays.context.index, columns=stays.medications.columns)
    column = list(model.classes_).index(label)
    columns = [model.predict_proba(stays.context.join(nothing.assign(**{name: 1})))[:, column] for name in given]
    return np.column_stack(columns)


def _dominated(scores: Floats, model: EvoterPrescriptor, corner: Floats) -> float:
    costs = as_costs(np.vstack([scores, corner]), model.goals_)
    return float(hypervolume(costs[:-1], costs[-1]))
