"""The outcome model: fitted predictors, and the scores that they expect of what is done."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from evoter.estimators.inputs import is_frame
from evoter.estimators.prescription.goals import Aim, Goal, Predictions, as_predictions, make_goals
from evoter.estimators.prescription.treatments import column_names, take_rows
from evoter.kernels.layout import Floats

Predictor = Any
"""A scikit-learn style model: `fit`, and `predict` or `predict_proba`."""

N_TREES: Final = 200
MIN_TREES: Final = 20
"""The sizes of the default predictor, a forest: the usual one, and the smallest where time is short."""

TREES_PER_SECOND: Final = 4_000_000
"""About how many trees can be asked about a row in a second."""

N_MEMBERS: Final = 5
"""Number of predictors whose disagreement is measured by default."""

BATCH: Final = 2**16
"""Rows predicted at a time."""


@dataclass(frozen=True)
class OutcomeModel:
    """Members, each a predictor for every outcome; goals; and how much their disagreement counts against a score."""

    members: tuple[Mapping[str, Predictor], ...]
    goals: tuple[Goal, ...]
    caution: float = 0.0

    @property
    def classes(self) -> dict[str, NDArray[Any] | None]:
        """The classes of each outcome, None for numbers."""
        return classes_of(self.members[0])

    def predictions(self, table: Any) -> dict[str, Floats]:
        """Return the mean prediction of all members for each outcome."""
        each = [_predictions(member, table) for member in self.members]
        return {name: np.mean([one[name] for one in each], axis=0) for name in each[0]}

    def scores(self, table: Any) -> Floats:
        """Return the score [row, goal] that is expected of each row: the mean, less what caution takes off."""
        parts = [self._scores(take_rows(table, rows)) for rows in _batches(len(table))]
        return np.concatenate(parts)

    def _scores(self, table: Any) -> Floats:
        each = np.array([goal_scores(self.goals, _predictions(member, table)) for member in self.members])
        means: Floats = each.mean(axis=0)
        if self.caution == 0.0:
            return means
        signs = np.array([1.0 if goal.objective.maximise else -1.0 for goal in self.goals])
        cautious: Floats = means - self.caution * signs * each.std(axis=0)
        return cautious

    def actual_scores(self, outcomes: Mapping[str, NDArray[Any]]) -> Floats:
        """Return the score [row, goal] of what happened."""
        return goal_scores(self.goals, as_predictions(outcomes, self.classes))


def goal_scores(goals: tuple[Goal, ...], predictions: Predictions) -> Floats:
    """Return the scores [row, goal] of predictions."""
    n_rows = len(next(iter(predictions.values())))
    columns = []
    for goal in goals:
        scores = np.asarray(goal.score(predictions), np.float64)
        if scores.shape != (n_rows,) or not np.isfinite(scores).all():
            name = goal.objective.name
            raise ValueError(f"objective {name!r} must give a finite score for each of {n_rows} rows")
        columns.append(scores)
    return np.column_stack(columns)


def fit_outcome_model(
    predictor: Predictor | Mapping[str, Predictor] | None,
    table: Any,
    outcomes: Mapping[str, NDArray[Any]] | None,
    aims: Mapping[str, Aim],
    *,
    caution: float,
    n_members: int | None,
    seed: int,
    n_trees: int = N_TREES,
) -> OutcomeModel:
    """Fit a predictor for each outcome, or several on samples of the rows; fitted ones are taken as they are.

    `n_trees` is the size of the forest that is used where there is no predictor.
    """
    models = _by_outcome(predictor, table, outcomes, n_trees)
    n = (N_MEMBERS if caution > 0.0 else 1) if n_members is None else n_members
    if caution > 0.0 and n < 2:
        raise ValueError("caution needs predictors that can disagree: n_predictors must be 2 or more")
    fitted = {name: is_fitted(model) for name, model in models.items()}
    if any(fitted.values()) and not all(fitted.values()):
        raise ValueError(f"either all predictors are fitted or none: fitted are {[k for k, v in fitted.items() if v]}")
    if all(fitted.values()):
        if n_members is not None:
            raise ValueError(
                f"n_predictors={n_members} has no effect here, since the predictor is fitted already and its own "
                "members are taken: leave n_predictors out"
            )
        members = _members_within(models) if n > 1 else (models,)
    else:
        if outcomes is None:
            raise ValueError("the predictor is not fitted: pass the outcomes to learn from, or a fitted one")
        rng = np.random.default_rng(seed)
        members = tuple(_fit_member(models, table, outcomes, rng, whole=n == 1) for _ in range(n))
    return OutcomeModel(members, make_goals(aims, classes_of(members[0])), caution)


def refit_outcome_model(
    outcome_model: OutcomeModel, table: Any, outcomes: Mapping[str, NDArray[Any]], seed: int
) -> OutcomeModel:
    """Fit fresh copies of the predictors, one member, on other rows."""
    rng = np.random.default_rng(seed)
    models = {name: clone(model) for name, model in outcome_model.members[0].items()}
    member = _fit_member(models, table, outcomes, rng, whole=True)
    for name, labels in outcome_model.classes.items():
        if labels is not None and not np.array_equal(labels, classes_of(member)[name]):  # type: ignore[arg-type]
            raise ValueError(f"the outcome {name!r} does not have all of the classes {labels.tolist()} in these rows")
    return OutcomeModel((member,), outcome_model.goals)


def classes_of(models: Mapping[str, Predictor]) -> dict[str, NDArray[Any] | None]:
    """Return the classes that each model predicts, None where it predicts numbers."""
    return {name: np.asarray(model.classes_) if is_classifier(model) else None for name, model in models.items()}


def is_fitted(model: Predictor) -> bool:
    """Tell whether a model has been fitted."""
    try:
        check_is_fitted(model)
    except NotFittedError:
        return False
    return True


def affordable_trees(max_seconds: float | None, n_rows: int, n_actions: int) -> int:
    """Return how many trees the forest may have if asking it about every action is to take half of a limit of time.

    >>> affordable_trees(None, 5_000, 200), affordable_trees(10, 5_000, 200), affordable_trees(10, 500, 3)
    (200, 20, 200)
    """
    if max_seconds is None:
        return N_TREES
    return min(N_TREES, max(MIN_TREES, int(0.5 * max_seconds * TREES_PER_SECOND / (n_rows * n_actions))))


def default_predictor(table: Any, outcome: NDArray[Any], n_trees: int = N_TREES) -> Predictor:
    """Return a forest, with categories as columns of zeros and ones and missing numbers filled in."""
    from sklearn.compose import ColumnTransformer
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    labelled = outcome.dtype.kind not in "fc" and (outcome.dtype.kind not in "iu" or len(np.unique(outcome)) <= 2)
    forest = (RandomForestClassifier if labelled else RandomForestRegressor)(n_trees, min_samples_leaf=5)
    if not is_frame(table):
        return make_pipeline(SimpleImputer(), forest)
    import narwhals as nw

    schema = nw.from_native(table, eager_only=True).schema
    numbers = [name for name in column_names(table) if schema[name].is_numeric() or schema[name] == nw.Boolean]
    others = [name for name in column_names(table) if name not in numbers]
    encoder = ColumnTransformer(
        [("numbers", SimpleImputer(), numbers), ("others", OneHotEncoder(handle_unknown="ignore"), others)]
    )
    return make_pipeline(encoder, forest)


def _by_outcome(
    predictor: Predictor | Mapping[str, Predictor] | None,
    table: Any,
    outcomes: Mapping[str, NDArray[Any]] | None,
    n_trees: int,
) -> dict[str, Predictor]:
    if isinstance(predictor, Mapping):
        models = dict(predictor)
        if outcomes is not None and set(models) != set(outcomes):
            raise ValueError(f"there are predictors for {sorted(models)} and outcomes {sorted(outcomes)}: give both")
        return models
    if outcomes is None:
        if predictor is None:
            raise ValueError("without outcomes, pass a fitted predictor")
        return {"outcome": predictor}
    if predictor is None:
        return {name: default_predictor(table, values, n_trees) for name, values in outcomes.items()}
    if len(outcomes) > 1 and is_fitted(predictor):
        raise ValueError(f"one fitted predictor cannot tell {len(outcomes)} outcomes: pass a mapping with one for each")
    return dict.fromkeys(outcomes, predictor)


def _fit_member(
    models: Mapping[str, Predictor],
    table: Any,
    outcomes: Mapping[str, NDArray[Any]],
    rng: np.random.Generator,
    *,
    whole: bool,
) -> dict[str, Predictor]:
    """Fit a copy of each model, on all rows or on a sample of them with repetitions that has every class."""
    n_rows = len(table)
    member = {}
    rows = np.arange(n_rows) if whole else rng.integers(0, n_rows, n_rows)
    for name, model in models.items():
        copy = seeded(clone(model), int(rng.integers(2**31 - 1)))
        chosen = rows
        if not whole and is_classifier(model):
            chosen = np.concatenate([rows, np.unique(outcomes[name], return_index=True)[1]])
        member[name] = copy.fit(take_rows(table, chosen), outcomes[name][chosen])
    return member


def seeded(model: Predictor, seed: int) -> Predictor:
    """Give a seed to all parts of a model that draw at random and have none."""
    free = {
        name: seed
        for name, value in model.get_params().items()
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    }
    return model.set_params(**free)


def _members_within(models: Mapping[str, Predictor]) -> tuple[Mapping[str, Predictor], ...]:
    """Take the members of fitted ensembles for the members of the outcome model."""
    parts = {}
    for name, model in models.items():
        if not hasattr(model, "estimators_") or np.ndim(model.estimators_) != 1:
            raise ValueError(
                f"the fitted predictor of {name!r} has no members that could disagree: pass it unfitted, so that "
                "several can be fitted, or a forest"
            )
        parts[name] = [_Member(model, part) for part in model.estimators_]
    n = min(map(len, parts.values()))
    return tuple({name: list_[k] for name, list_ in parts.items()} for k in range(n))


class _Member:
    """A part of a fitted ensemble, which knows the classes of the whole."""

    def __init__(self, whole: Predictor, part: Predictor) -> None:
        self._part = part
        self._estimator_type = "classifier" if is_classifier(whole) else "regressor"
        self.__sklearn_tags__ = whole.__sklearn_tags__
        if is_classifier(whole):
            self.classes_ = whole.classes_

    def predict(self, table: Any) -> Any:
        return self._part.predict(np.asarray(table))

    def predict_proba(self, table: Any) -> Any:
        return self._part.predict_proba(np.asarray(table))


def _predictions(models: Mapping[str, Predictor], table: Any) -> dict[str, Floats]:
    predictions: dict[str, Floats] = {}
    for name, model in models.items():
        raw = model.predict_proba(table) if is_classifier(model) else model.predict(table)
        predictions[name] = np.asarray(raw, np.float64)
    return predictions


def _batches(n_rows: int) -> list[NDArray[np.int64]]:
    return [np.arange(start, min(start + BATCH, n_rows)) for start in range(0, max(n_rows, 1), BATCH)]
