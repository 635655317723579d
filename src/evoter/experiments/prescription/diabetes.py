"""Diabetes: which medication to give, for fewer readmissions and better discharges at once."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
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

SUPPORTED = 500
"""Stays with a medication from which on the data are taken to say something about it."""

QUICK_REFINEMENT = {"refinement_rows": 2_000, "refinement_moves": 500}
"""For tables of many rows and actions, where the scores of neighbouring rows are alike."""

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
) -> Comparison:
    """Split the patients, learn what becomes of them, and evolve fronts of rule sets and of networks.

    Evolution sees `rows` of the training stays, None for all; the policy is evaluated on all stays of the others. With
    `supported`, only medications that the data say something about are prescribed.
    """
    stays, train, test, fitted, predictor = _prepared(seed)
    given = [name for name in stays.medications.columns if not supported or stays.medications[name].sum() >= SUPPORTED]
    found = {"predictor": predictor, "history": _history(stays)}
    train = _some(train, rows, seed)
    curve: list[list[float]] = []
    model = EvoterPrescriptor(
        fitted,
        objectives=SCORES,
        actions=given,
        watchers=[lambda evolution, _: _follow(evolution, model, curve)],
        population_size=population_size,
        generations=generations,
        patience=None,
        settings=QUICK_REFINEMENT,
        n_jobs=2,
        random_state=seed,
    )
    begin = time.perf_counter()
    model.fit(train.context, train.medications, train.outcomes)
    if model.stop_reason_ == "interrupted":
        raise KeyboardInterrupt
    seconds = time.perf_counter() - begin
    outcomes = model.predicted_outcomes(train.context)
    done = model.outcome_model_.scores(train.context.join(train.medications)).mean(axis=0)
    names = [objective.name for objective in model.front_.objectives]
    policy = model.with_ruleset(model.front_.select("knee"))
    report = policy.evaluate(test.context, test.medications, test.outcomes, groups=test.patients)
    measures = dict(zip(names, best_scores(model.front_.scores, model), strict=True))
    measures |= _best_shares(fitted, model, train, given)
    measures |= {f"{name}_judged": report[name].judged.value for name in names}
    if report.overlap is not None:
        measures["overlap"] = float(report.overlap.agreed.mean())
    measures |= {"rules": len(policy.ruleset_.rules), "conditions": policy.ruleset_.n_conditions}
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
    curves = {name: tuple(each[index] for each in curve) for index, name in enumerate(names)}
    found["rules"] = Outcome(measures, curves, counted(policy), seconds=seconds)
    found["one"] = Outcome({name: float(outcomes[:, :, at].mean(axis=0).max()) for at, name in enumerate(names)})
    found["possible"] = Outcome({name: float(outcomes[:, :, at].max(axis=1).mean()) for at, name in enumerate(names)})
    found["done"] = Outcome(dict(zip(names, done.tolist(), strict=True)))
    return Comparison(found, policy, report, test.context.iloc[:1])


@lru_cache(maxsize=1)  # one seed after the other, each with several sets of medications
def _prepared(seed: int) -> tuple[Stays, Stays, Stays, dict[str, Any], Outcome]:
    """Return all stays, those to learn from and the others, the fitted predictors, and how good they are."""
    stays = diabetes()
    train, test = patients_apart(stays, seed)
    table = train.context.join(train.medications)
    fitted = {name: network(seed).fit(table, train.outcomes[name]) for name in SCORES}
    return stays, train, test, fitted, _predictors(fitted, test)


def patients_apart(stays: Stays, seed: int) -> tuple[Stays, Stays]:
    """Split stays in two thirds and one, no patient in both."""
    splitter = GroupShuffleSplit(1, test_size=1 / 3, random_state=seed)
    train, test = next(splitter.split(stays.context, groups=stays.patients))
    return stays.rows(train), stays.rows(test)


def _some(stays: Stays, n: int | None, seed: int) -> Stays:
    if n is None or n >= len(stays.context):
        return stays
    return stays.rows(np.sort(np.random.default_rng(seed).choice(len(stays.context), n, replace=False)))


def _predictors(fitted: dict[str, Any], test: Stays) -> Outcome:
    table = test.context.join(test.medications)
    accuracy = {name: accuracy_score(test.outcomes[name], model.predict(table)) for name, model in fitted.items()}
    return Outcome({f"{name}_accuracy": float(value) for name, value in accuracy.items()})


def _history(stays: Stays) -> Outcome:
    happened = stays.outcomes
    scores = {name: float(happened[name].map(dict(points)).astype(float).mean()) for name, points in SCORES.items()}
    shares = {
        "no_readmission": float((happened["readmission"] == NO_READMISSION).mean()),
        "home": float((happened["discharge"] == HOME).mean()),
    }
    return Outcome({**scores, **shares})


def _best_shares(
    fitted: dict[str, Any], model: EvoterPrescriptor, stays: Stays, given: Sequence[str]
) -> dict[str, float]:
    """Return how often the predictor expects no readmission, and a discharge home, of the policy with most of both."""
    no_readmission = _chances(fitted["readmission"], stays, given, NO_READMISSION)
    home = _chances(fitted["discharge"], stays, given, HOME)
    rows = np.arange(len(stays.context))
    shares = []
    for number in range(len(model.front_)):
        prescribed = model.with_ruleset(number).prescribe(stays.context)
        actions = np.array([given.index(name) for name in prescribed.tolist()])
        shares.append((no_readmission[rows, actions].mean(), home[rows, actions].mean()))
    best = max(shares, key=sum)
    return {"no_readmission": float(best[0]), "home": float(best[1])}


def _chances(model: Any, stays: Stays, given: Sequence[str], label: str) -> Floats:
    """Return the chance [stay, medication] that a predictor sees of an outcome if one medication is given."""
    nothing = pd.DataFrame(0, index=stays.context.index, columns=stays.medications.columns)
    column = list(model.classes_).index(label)
    columns = [model.predict_proba(stays.context.join(nothing.assign(**{name: 1})))[:, column] for name in given]
    return np.column_stack(columns)


def _follow(evolution: Evolution, model: EvoterPrescriptor, curve: list[list[float]]) -> None:
    curve.append(best_scores(evolution.evaluation.scores, model))


def _dominated(scores: Floats, model: EvoterPrescriptor, corner: Floats) -> float:
    costs = as_costs(np.vstack([scores, corner]), model.goals_)
    return float(hypervolume(costs[:-1], costs[-1]))
