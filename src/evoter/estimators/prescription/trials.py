"""Trials: the outer loop of surrogate-assisted prescription, where policies are tried and predictors learn from it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_random_state

from evoter.estimators.inputs import is_frame
from evoter.estimators.prescription.goals import read_outcomes
from evoter.estimators.prescription.specification import read_aims, read_treatments
from evoter.estimators.prescription.treatments import ColumnTreatments, Treatments
from evoter.estimators.prescriptor import EvoterPrescriptor
from evoter.estimators.search import RandomState
from evoter.kernels.layout import Floats

Cases = Callable[[int, np.random.Generator], Any]
"""Draws a number of cases, as a table."""

TryOut = Callable[[Any, NDArray[Any]], Any]
"""Does something in each case, as `prescribe` says it, and returns what comes of it."""


@dataclass(frozen=True, slots=True)
class Round:
    """What came of one round of trials: how many, their mean score by goal, and what had been predicted for them.

    Before the first round nothing is predicted, and actions are random.
    """

    n_trials: int
    scores: Mapping[str, float]
    predicted: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Trials:
    """The last policy, all that was tried, and how each round went."""

    prescriptor: EvoterPrescriptor
    rounds: tuple[Round, ...]
    cases: Any
    actions: NDArray[Any]
    outcomes: Mapping[str, NDArray[Any]]


def evolve_by_trying(
    prescriptor: EvoterPrescriptor,
    cases: Cases,
    try_out: TryOut,
    *,
    n_rounds: int = 5,
    n_trials: int = 200,
    exploration: float = 0.1,
    random_state: RandomState = None,
) -> Trials:
    """Try random actions first, then fit the prescriptor to all trials so far and try what it prescribes, in rounds.

    A share `exploration` of the actions stays random, so that the predictor learns what policies avoid. Each policy
    starts from the rules of the one before. `prescriptor` says in `actions` what can be done, and is left as it is.
    """
    if n_rounds < 1 or n_trials < 2 or not 0.0 <= exploration <= 1.0:
        raise ValueError(
            f"trials need 1 round or more, 2 trials or more and an exploration from 0 to 1, got {n_rounds}, {n_trials} "
            f"and {exploration}"
        )
    treatments = _treatments(prescriptor)
    aims, _ = read_aims(prescriptor.objectives)
    rng = np.random.default_rng(check_random_state(random_state).randint(2**31 - 1))
    tables: list[Any] = []
    actions: list[NDArray[Any]] = []
    outcomes: list[dict[str, NDArray[Any]]] = []
    rounds: list[Round] = []
    model: EvoterPrescriptor | None = None
    for _ in range(n_rounds + 1):
        table = cases(n_trials, rng)
        levels = _random_levels(treatments, len(table), rng)
        prescribed = treatments.shown(levels)
        if model is not None:
            chosen = model.prescribe(table)
            exploring = rng.random(len(table)) < exploration
            prescribed = np.where(exploring if chosen.ndim == 1 else exploring[:, None], prescribed, chosen)
        expected = {} if model is None else _means(model, model.predicted_scores(table))
        tables.append(table)
        actions.append(prescribed)
        outcomes.append(read_outcomes(try_out(table, prescribed), list(aims)))
        everything = {name: np.concatenate([each[name] for each in outcomes]) for name in outcomes[0]}
        start = [] if model is None else [model.evolved_ruleset_]
        model = clone(prescriptor).set_params(initial_rulesets=[*prescriptor.initial_rulesets, *start])
        model.fit(_stack(tables), np.concatenate(actions), everything)
        actual = model.outcome_model_.actual_scores(outcomes[-1])
        rounds.append(Round(len(table), _means(model, actual), expected))
    assert model is not None
    return Trials(model, tuple(rounds), _stack(tables), np.concatenate(actions), everything)


def _treatments(prescriptor: EvoterPrescriptor) -> Treatments:
    actions = prescriptor.actions
    if actions is None or (
        isinstance(actions, Mapping) and any(isinstance(each, Mapping) for each in actions.values())
    ):
        raise ValueError("trials need to know what can be done: give the prescriptor actions, labels or amounts")
    width = np.zeros((1, len(actions))) if prescriptor.several else None
    return read_treatments(actions, width, None, several=prescriptor.several)


def _random_levels(treatments: Treatments, n_rows: int, rng: np.random.Generator) -> Floats:
    n_actions = len(treatments.names)
    if isinstance(treatments, ColumnTreatments) and treatments.several:
        levels = rng.integers(0, 2, (n_rows, n_actions)).astype(np.float64)
        levels[:, -1] = 0.0
        return levels
    levels = np.eye(n_actions)[rng.integers(0, n_actions, n_rows)]
    if isinstance(treatments, ColumnTreatments) and treatments.amounts:
        levels *= rng.integers(1, 101, (n_rows, 1)) / 100.0
    return levels


def _means(model: EvoterPrescriptor, scores: Floats) -> dict[str, float]:
    names = [objective.name for objective in model.goals_]
    return dict(zip(names, scores.mean(axis=0).tolist(), strict=False))  # what actions cost may be left out


def _stack(tables: list[Any]) -> Any:
    if is_frame(tables[0]):
        return nw.concat([nw.from_native(table, eager_only=True) for table in tables]).to_native()
    return np.concatenate(tables)
