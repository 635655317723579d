"""EvoterClassifier: readable classification rules behind scikit-learn's interface."""

import os
import warnings
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, check_is_fitted, column_or_1d

from evoter.estimators.inputs import action_names, encode_used, read_table
from evoter.estimators.scoring import Metric, resolve_metric
from evoter.evolution.engine import Evolution, Result, Watcher
from evoter.evolution.progress import ProgressDisplay, announce_compilation
from evoter.evolution.settings import PRESETS, Settings
from evoter.evolution.stopping import Generations, Seconds, Stagnation, Stopping, TargetScore
from evoter.kernels.breed import breed
from evoter.kernels.compilation import compiled_before
from evoter.kernels.layout import Floats, Ints
from evoter.kernels.threads import Threads
from evoter.problems.classification import ClassificationProblem
from evoter.problems.deciding import TableDecisions, decide_columns
from evoter.problems.pruning import majority_actions, measure_support
from evoter.rules.explain import Explanation, explain
from evoter.rules.model import Mode, RuleSet
from evoter.rules.simplify import prune_inactive, simplify
from evoter.tables import encode, infer_schema, rows

SMOOTHING = 1.0
"""Weight of the overall class frequencies in the probabilities that a rule gives."""


class EvoterClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that is a short list of IF-THEN rules, found by evolution.

    Reads numbers, categories, booleans and missing values as they are, from arrays and data frames.

    Parameters
    ----------
    preset : {"default", "paper"}, default="default"
        Where settings come from: "paper" is the algorithm of the paper and nothing else.
    metric : str, callable, array or mapping, default="accuracy"
        What is optimised: "accuracy", "balanced_accuracy", "f1_macro", "matthews" or "log_loss" (compiled); a cost
        matrix (rows true, columns predicted) or a mapping from (true, predicted) to a cost; any scikit-learn scorer
        or its name (slow).
    generations : int, default=200
        The most generations.
    patience : int or None, default=50
        Stop after so many generations without improvement.
    max_seconds : float or None, default=None
        Stop after so many seconds. A run that ends by time is not repeatable.
    target_score : float or None, default=None
        Stop when the training score is this good.
    population_size, max_rules, max_conditions, parsimony : int, int, int, float or None
        Settings by their names, None for the preset's value; see `evoter.evolution.settings.Settings`.
    settings : mapping or None, default=None
        Any other settings by name.
    mode : {"first", "hardmax", "vote"}, default="first"
        How rules become a decision.
    class_weight : "balanced", mapping or None, default=None
        Weights of classes.
    categorical : "auto" or sequence of names or positions, default="auto"
        Columns that hold numbers but mean categories; text and categorical types are recognised.
    initial_rulesets : sequence of RuleSet, default=()
        Rule sets to start from, a person's or an earlier run's.
    checkpoint : path or None, default=None
        A file for the state of the run. If it exists, the run goes on from there.
    watchers : sequence of callables, default=()
        Called as `watcher(evolution, progress)` after each generation; True ends the run.
    n_jobs : int or None, default=None
        Threads; None means 1, -1 all cores. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        The seed.
    verbose : int, default=0
        1 shows progress in a terminal.

    Attributes
    ----------
    ruleset_ : RuleSet
        The rules, pruned and simplified, over the features they read.
    evolved_ruleset_ : RuleSet
        The rules as evolution left them.
    schema_ : Schema
        All features of the training table.
    classes_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    history_ : History
        Best and mean score, size, evaluations and seconds for every generation.
    rule_probabilities_ : ndarray of shape (n_rules + 1, n_classes)
        Smoothed class frequencies of the training rows that each rule, and the default, decided.
    times_applied_, times_decided_ : ndarray of shape (n_rules + 1,)
        Training rows on which each rule held, and which it decided; the default last.
    stop_reason_ : str
        "finished", "interrupted" or "stopped".

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from evoter import EvoterClassifier
    >>> iris = load_iris(as_frame=True)
    >>> model = EvoterClassifier(random_state=0).fit(iris.data, iris.target_names[iris.target])
    >>> model.score(iris.data, iris.target_names[iris.target]) > 0.95
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "preset": [StrOptions(set(PRESETS))],
        "metric": [str, callable, "array-like", Mapping],
        "generations": [Interval(Integral, 1, None, closed="left")],
        "patience": [Interval(Integral, 1, None, closed="left"), None],
        "max_seconds": [Interval(Real, 0, None, closed="neither"), None],
        "target_score": [Interval(Real, None, None, closed="neither"), None],
        "population_size": [Interval(Integral, 2, None, closed="left"), None],
        "max_rules": [Interval(Integral, 1, None, closed="left"), None],
        "max_conditions": [Interval(Integral, 1, None, closed="left"), None],
        "parsimony": [Interval(Real, 0, None, closed="left"), None],
        "settings": [Mapping, None],
        "mode": [StrOptions({"first", "hardmax", "vote"})],
        "class_weight": [StrOptions({"balanced"}), Mapping, None],
        "categorical": [StrOptions({"auto"}), "array-like"],
        "initial_rulesets": [list, tuple],
        "checkpoint": [str, os.PathLike, None],
        "watchers": [list, tuple],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        preset: str = "default",
        metric: Metric = "accuracy",
        generations: int = 200,
        patience: int | None = 50,
        max_seconds: float | None = None,
        target_score: float | None = None,
        population_size: int | None = None,
        max_rules: int | None = None,
        max_conditions: int | None = None,
        parsimony: float | None = None,
        settings: Mapping[str, object] | None = None,
        mode: str = "first",
        class_weight: str | Mapping[Any, float] | None = None,
        categorical: str | Sequence[str | int] = "auto",
        initial_rulesets: Sequence[RuleSet] = (),
        checkpoint: str | os.PathLike[str] | None = None,
        watchers: Sequence[Watcher] = (),
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
    ) -> None:
        self.preset = preset
        self.metric = metric
        self.generations = generations
        self.patience = patience
        self.max_seconds = max_seconds
        self.target_score = target_score
        self.population_size = population_size
        self.max_rules = max_rules
        self.max_conditions = max_conditions
        self.parsimony = parsimony
        self.settings = settings
        self.mode = mode
        self.class_weight = class_weight
        self.categorical = categorical
        self.initial_rulesets = initial_rulesets
        self.checkpoint = checkpoint
        self.watchers = watchers
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Evolve rules for a table `X` with the class labels `y`.

        Ctrl-C ends the search and keeps the best rules so far.
        """
        self._validate_params()
        table = read_table(self, X, reset=True)
        labels = column_or_1d(y, warn=True)
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        self.schema_ = infer_schema(
            table, actions=action_names(self.classes_), categorical=self.categorical, scaled=True
        )
        columns = encode(table, self.schema_)
        check_consistent_length(columns.T, labels)
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, columns.T, dtype=np.float64)
        if weights is not None:
            codes, columns, weights = codes[weights > 0], columns[:, weights > 0], weights[weights > 0]
        problem = ClassificationProblem(
            self.schema_,
            columns,
            codes,
            measure=resolve_metric(self.metric, self.classes_, table, labels, weights),
            sample_weight=weights,
            class_weight=self._class_weights(labels),
            mode=Mode(self.mode),
        )
        result = self._evolve(problem)
        self.history_ = result.history
        self.stop_reason_ = result.reason
        self.evolved_ruleset_ = result.best
        self._settle(problem, result)
        return self

    def predict(self, X: Any) -> NDArray[np.generic]:
        """Return the class of each row."""
        return self.classes_[self._decide(X).actions]

    def predict_proba(self, X: Any) -> Floats:
        """Return the smoothed class frequencies of the training rows that the deciding rule decided.

        In mode vote they are averaged over the active rules.
        """
        decisions = self._decide(X)
        if self.mode != "vote":
            return self.rule_probabilities_[decisions.deciders]
        weights = np.column_stack([decisions.active, ~decisions.active.any(axis=1)]).astype(np.float64)
        return (weights / weights.sum(axis=1, keepdims=True)) @ self.rule_probabilities_

    def deciding_rules(self, X: Any) -> Ints:
        """Return the number of the rule, from 0, that decides each row; the number of rules stands for the default."""
        return self._decide(X).deciders

    def decision_path(self, X: Any) -> csr_matrix:
        """Return a sparse matrix (n_samples, n_rules) telling which rules hold on which row."""
        return csr_matrix(self._decide(X).active)

    def explain(self, X: Any) -> Explanation | list[Explanation]:
        """Explain the decision on one row, or on each of several: which rule decided, on which values, and why not others.

        A table of one row, a mapping or a one-dimensional row gives one explanation, a longer table a list.
        """
        check_is_fitted(self)
        if isinstance(X, Mapping):
            return explain(self.ruleset_, X)
        single = isinstance(X, list | tuple | np.ndarray) and np.ndim(X) == 1
        table = read_table(self, [list(X)] if single else X, reset=False)
        explanations = [explain(self.ruleset_, row) for row in rows(table, self.schema_)]
        return explanations[0] if len(explanations) == 1 else explanations

    def _decide(self, X: Any) -> TableDecisions:
        check_is_fitted(self)
        table = read_table(self, X, reset=False)
        return decide_columns(self.ruleset_, encode_used(table, self.schema_, self.ruleset_.schema))

    def _resolved_settings(self) -> Settings:
        named = {name: getattr(self, name) for name in ("population_size", "max_rules", "max_conditions", "parsimony")}
        chosen = {name: value for name, value in named.items() if value is not None}
        return PRESETS[self.preset].replace(**{**chosen, **(self.settings or {})})

    def _stopping(self, maximise: bool) -> Stopping:
        until: Stopping = Generations(self.generations)
        if self.patience is not None:
            until |= Stagnation(self.patience)
        if self.max_seconds is not None:
            until |= Seconds(self.max_seconds)
        if self.target_score is not None:
            until |= TargetScore(self.target_score, maximise)
        return until

    def _class_weights(self, labels: NDArray[np.generic]) -> Floats | None:
        if self.class_weight is None:
            return None
        weight = dict(self.class_weight) if isinstance(self.class_weight, Mapping) else self.class_weight
        weights: Floats = compute_class_weight(weight, classes=self.classes_, y=labels)
        return weights

    def _evolve(self, problem: ClassificationProblem) -> Result:
        if not compiled_before(breed):
            announce_compilation(bool(self.verbose))
        threads = Threads(1 if self.n_jobs is None else self.n_jobs)
        evolution = Evolution(
            problem,
            self._resolved_settings(),
            seed=int(check_random_state(self.random_state).randint(2**31 - 1)),
            threads=threads,
            warm_start=self.initial_rulesets,
        )
        until = self._stopping(problem.objectives[0].maximise)
        checkpoint = None if self.checkpoint is None else Path(self.checkpoint)
        try:
            if not self.verbose:
                return evolution.run(until, self.watchers, checkpoint=checkpoint)
            with ProgressDisplay() as display:
                return evolution.run(until, [*self.watchers, display], checkpoint=checkpoint)
        finally:
            threads.close()

    def _settle(self, problem: ClassificationProblem, result: Result) -> None:
        """Prune and simplify the winner, and count what its rules do on the training rows."""
        if result.reason == "interrupted":
            warnings.warn(f"interrupted: keeping the best rules of {result.history.n_generations} generations", stacklevel=3)
        counts = result.times_applied if self.mode == "vote" else result.times_decided
        ruleset = simplify(prune_inactive(result.best, counts))
        if self._resolved_settings().majority_actions and self.metric == "accuracy" and self.mode != "vote":
            ruleset = simplify(majority_actions(ruleset, problem))
        support = measure_support(ruleset, problem)
        self.ruleset_ = ruleset.restricted()
        self.times_applied_ = support.times_applied
        self.times_decided_ = support.times_decided
        totals = support.weights.sum(axis=1, keepdims=True)
        prior = support.weights.sum(axis=0) / support.weights.sum()
        self.rule_probabilities_ = (support.weights + SMOOTHING * prior) / (totals + SMOOTHING)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:  # noqa: N803 (scikit-learn's name)
        parameters = super().__repr__(N_CHAR_MAX)
        if not hasattr(self, "ruleset_"):
            return str(parameters)
        return f"{parameters}\n{self.ruleset_.to_text('aligned', declarations=False)}"

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if hasattr(self, "ruleset_") and "text/html" in bundle:
            bundle["text/html"] = self.ruleset_.to_text("html") + bundle["text/html"]
        return bundle
