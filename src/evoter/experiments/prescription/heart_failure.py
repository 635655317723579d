"""Heart failure: which of two interventions to choose, for patients whose two values a rule cannot read."""

import time
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import matthews_corrcoef
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split

from evoter import EvoterPrescriptor
from evoter.experiments.prescription.data import INTERVENTIONS, forest, heart_failure
from evoter.experiments.prescription.networks import evolve_network
from evoter.experiments.printed_rules import count_printed
from evoter.experiments.runners import Outcome

PRESETS = {"rules": "default", "rules-paper": "paper"}
"""The two kinds of rule sets and their presets."""


def compare(seed: int, *, generations: int = 100, population_size: int = 100) -> dict[str, Outcome]:
    """Split the patients, learn to predict deaths, and evolve rule sets and networks that minimise predicted deaths.

    The outcomes, by model, measure the predicted death rate.
    """
    table, died = heart_failure()
    train, test = train_test_split(np.arange(len(died)), test_size=0.3, random_state=seed, stratify=died)
    mine, others = table.iloc[train], table.iloc[test]
    predictor = forest(seed).fit(mine, died[train])
    rules = {}
    for name, preset in PRESETS.items():
        model = EvoterPrescriptor(
            predictor,
            objectives={"death": "minimise"},
            actions=INTERVENTIONS,
            preset=preset,
            population_size=population_size,
            generations=generations,
            patience=None,
            random_state=seed,
        )
        rules[name] = _rules(model, mine, died[train], others, died[test])
    outcomes, held_out = model.predicted_outcomes(mine), model.predicted_outcomes(others)
    black_box = evolve_network(model, mine, outcomes, seed, generations, np.empty(0))
    chosen = held_out[np.arange(len(others)), black_box.decide(model, others), 0]
    best = float(black_box.result.scores[0])
    found = {
        name: replace(each, measures={**each.measures, "gap": each.measures["training"] - best})
        for name, each in rules.items()
    }
    found["network"] = Outcome(
        {"training": best, "held_out": float(chosen.mean())},
        {"death": tuple(black_box.best[:, 0].tolist())},
        seconds=black_box.seconds,
    )
    means, others_means = outcomes.mean(axis=0)[:, 0], held_out.mean(axis=0)[:, 0]
    one = int(means.argmin())
    found["one"] = Outcome({"training": float(means[one]), "held_out": float(others_means[one])})
    found["possible"] = Outcome({"training": float(outcomes.min(axis=1).mean())})
    found["history"] = Outcome({"training": float(died[train].mean()), "held_out": float(died[test].mean())})
    found["printed"] = Outcome(count_printed("heart_failure", table))
    found["predictor"] = Outcome({"matthews": _matthews(table, died, seed)})
    return found


def _rules(
    model: EvoterPrescriptor, mine: Any, died: NDArray[np.int64], others: Any, died_others: NDArray[np.int64]
) -> Outcome:
    begin = time.perf_counter()
    model.fit(mine, outcomes={"death": died})
    seconds = time.perf_counter() - begin
    if model.stop_reason_ == "interrupted":
        raise KeyboardInterrupt
    report = model.evaluate(others, outcomes={"death": died_others})["death"]
    measures = {
        "training": model.value_["death"],
        "held_out": report.predicted.value,
        "judged": report.judged.value,
        "evolved_rules": len(model.evolved_ruleset_.rules),
        "rules": len(model.ruleset_.rules),
        "conditions": model.ruleset_.n_conditions,
        "deciding": int(np.count_nonzero(model.times_decided_[:-1])),
        "active": float(model.times_applied_[:-1].sum()) / len(mine),
    }
    return Outcome(measures, {"death": tuple(model.history_["best"].tolist())}, counted(model), seconds=seconds)


def _matthews(table: Any, died: NDArray[np.int64], seed: int) -> float:
    """Return the Matthews correlation of the predictor in five folds with about the same share of deaths."""
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    return float(matthews_corrcoef(died, cross_val_predict(forest(seed), table, died, cv=folds)))


def counted(model: EvoterPrescriptor) -> str:
    """Return the rules, each after the number of training cases on which it holds."""
    lines = model.ruleset_.to_text(declarations=False).splitlines()
    counts = model.times_applied_.tolist()
    return "\n".join(f"{count:>5}  {line}" for count, line in zip(counts, lines, strict=True))
