"""The value of a policy on unseen cases: as a second predictor estimates it, and from what was done there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GroupKFold, KFold

from evoter.estimators.prescription.outcome_model import OutcomeModel, refit_outcome_model
from evoter.estimators.prescription.treatments import Treatments, take_rows
from evoter.evolution.problem import Objective
from evoter.kernels.layout import Floats, Ints

RARE: Final = 0.05
"""An action that history took less often than this in cases of a kind is one that the data say little about."""

LEAST_PROPENSITY: Final = 0.01
"""Propensities are taken for no less than this, so that no single row weighs more than a hundred."""

N_FOLDS: Final = 5
N_TREES: Final = 50

_SEED: Final = 0


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean score, and its standard error; NaN where it cannot be had."""

    value: float
    error: float = float("nan")

    def __str__(self) -> str:
        if np.isnan(self.value):
            return "-"
        return f"{self.value:.4f}" if np.isnan(self.error) else f"{self.value:.4f} ± {self.error:.4f}"


NONE: Final = Estimate(float("nan"))


@dataclass(frozen=True, slots=True)
class GoalValue:
    """What a policy is worth by one goal, beside what was done.

    `historical` is the score of what happened, `historical_judged` what the second predictor says of what was done.
    `predicted` is what the policy's own predictor says of the policy, which evolution may have exploited; `judged` what
    the second one says. `ips` is the self-normalised inverse propensity estimate, from rows on which history did what
    the policy would; `doubly_robust` corrects `judged` by them. Without any such row there is neither.
    """

    objective: Objective
    historical: Estimate
    historical_judged: Estimate
    predicted: Estimate
    judged: Estimate
    ips: Estimate = NONE
    doubly_robust: Estimate = NONE


@dataclass(frozen=True, slots=True)
class Overlap:
    """How often history did what the policy prescribes: the propensity of each row, and on which rows it did just that.

    `propensities` are the probabilities of what is prescribed under the logged policy, as a model of it tells.
    """

    propensities: Floats
    agreed: NDArray[np.bool_]

    @property
    def rare(self) -> float:
        """The share of rows on which history would hardly ever do what is prescribed."""
        return float((self.propensities < RARE).mean())

    def __str__(self) -> str:
        return (
            f"history did the same on {self.agreed.mean():.1%} of the rows; the mean propensity of what is prescribed "
            f"is {self.propensities.mean():.3f}; on {self.rare:.1%} of the rows it is below {RARE:g}, where the data "
            "say little"
        )


@dataclass(frozen=True, slots=True)
class PolicyReport:
    """The value of a policy by each goal, and how far it leaves the data; `str()` is a table."""

    goals: tuple[GoalValue, ...]
    overlap: Overlap | None
    n_rows: int

    def __getitem__(self, name: str) -> GoalValue:
        for goal in self.goals:
            if goal.objective.name == name:
                return goal
        raise KeyError(f"no goal {name!r}; known: {[goal.objective.name for goal in self.goals]}")

    def __str__(self) -> str:
        names = [f"{goal.objective.name} {'↑' if goal.objective.maximise else '↓'}" for goal in self.goals]
        rows = [[f"{self.n_rows:,} cases", *names]]
        for label, attribute in _LINES:
            rows.append([label, *[str(getattr(goal, attribute)) for goal in self.goals]])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join([row[0].ljust(widths[0]), *[cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True)]])
            for row in rows
        ]
        why = "overlap: not known for amounts and interventions"
        return "\n".join([*lines, why if self.overlap is None else f"overlap: {self.overlap}"])


_LINES = (
    ("what was done, as it happened", "historical"),
    ("what was done, second predictor", "historical_judged"),
    ("policy, its own predictor", "predicted"),
    ("policy, second predictor", "judged"),
    ("policy, inverse propensity", "ips"),
    ("policy, doubly robust", "doubly_robust"),
)


def value_policy(
    outcome_model: OutcomeModel,
    treatments: Treatments,
    table: Any,
    columns: Floats,
    logged: Any,
    outcomes: Mapping[str, NDArray[Any]],
    levels: Floats,
    costs: Floats | None,
    *,
    groups: NDArray[Any] | None = None,
) -> PolicyReport:
    """Value what is prescribed, `levels`, on the rows of a table with known actions and outcomes."""
    n_rows = len(table)
    actual = outcome_model.actual_scores(outcomes)
    factual, applied = treatments.factual(table, logged), treatments.applied(table, levels)
    predicted = outcome_model.scores(applied)
    judged, historical_judged = np.empty_like(actual), np.empty_like(actual)
    folds = list(_folds(n_rows, groups))
    for others, rows in folds:
        theirs = {name: values[others] for name, values in outcomes.items()}
        judge = refit_outcome_model(outcome_model, take_rows(factual, others), theirs, _SEED)
        judged[rows] = judge.scores(take_rows(applied, rows))
        historical_judged[rows] = judge.scores(take_rows(factual, rows))
    known = treatments.logged_levels(logged)
    overlap = None if known is None else _overlap(columns, known, levels, folds)
    goals = []
    for column, goal in enumerate(outcome_model.goals):
        ips = robust = NONE
        if overlap is not None and overlap.agreed.any():
            weights = overlap.agreed / np.maximum(overlap.propensities, LEAST_PROPENSITY)
            ips = _weighted_mean(actual[:, column], weights)
            robust = _mean(judged[:, column] + weights * (actual[:, column] - historical_judged[:, column]))
        value = GoalValue(
            goal.objective,
            historical=_mean(actual[:, column]),
            historical_judged=_mean(historical_judged[:, column]),
            predicted=_mean(predicted[:, column]),
            judged=_mean(judged[:, column]),
            ips=ips,
            doubly_robust=robust,
        )
        goals.append(value)
    if costs is not None:
        mine = _mean(levels @ costs)
        theirs_cost = NONE if known is None or np.isnan(known).any() else _mean(known @ costs)
        cost = Objective("cost", maximise=False)
        goals.append(GoalValue(cost, theirs_cost, theirs_cost, mine, mine, mine, mine))
    return PolicyReport(tuple(goals), overlap, n_rows)


def _folds(n_rows: int, groups: NDArray[Any] | None) -> Iterator[tuple[Ints, Ints]]:
    """Yield the rows to learn from and the rows to predict."""
    if groups is None:
        yield from KFold(N_FOLDS, shuffle=True, random_state=_SEED).split(np.empty(n_rows))
    else:
        yield from GroupKFold(N_FOLDS).split(np.empty(n_rows), groups=groups)


def _overlap(columns: Floats, known: Floats, levels: Floats, folds: list[tuple[Ints, Ints]]) -> Overlap:
    """Model the logged policy, always on other rows, and return how likely it does what is prescribed."""
    taken, done = np.unique(np.nan_to_num(known, nan=-1.0), axis=0, return_inverse=True)
    done = done.reshape(-1)
    mine = (levels[:, None, :] == taken[None]).all(axis=2)
    prescribed = np.where(mine.any(axis=1), mine.argmax(axis=1), -1)  # -1 where history never did the same
    propensities = np.zeros(len(levels))
    for others, rows in folds:
        if len(np.unique(done[others])) < 2:
            propensities[rows] = prescribed[rows] == done[others][0]
            continue
        model = _logged_policy(columns.T[others], done[others])
        probabilities = np.zeros((len(rows), len(taken) + 1))  # the last for what history never did
        probabilities[:, model.classes_] = model.predict_proba(columns.T[rows])
        propensities[rows] = probabilities[np.arange(len(rows)), prescribed[rows]]
    return Overlap(propensities, done == prescribed)


def _logged_policy(features: Floats, done: Ints) -> Any:
    """Fit a forest with large leaves, which finds nothing where the logged policy is a coin."""
    least = max(10, len(done) // 50)
    return RandomForestClassifier(N_TREES, min_samples_leaf=least, random_state=_SEED).fit(features, done)


def _mean(values: Floats) -> Estimate:
    return Estimate(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))


def _weighted_mean(values: Floats, weights: Floats) -> Estimate:
    total = weights.sum()
    mean = float(values @ weights / total)
    return Estimate(mean, float(np.sqrt(((weights * (values - mean)) ** 2).sum()) / total))
