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
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from evoter.estimators.inputs import encode_used, keep_rows, named_row, read_table, rows_used
from evoter.estimators.labels import action_names, read_labels
from evoter.estimators.scoring import Metric, resolve_metric
from evoter.estimators.search import RandomState, search
from evoter.estimators.weights import read_class_weight, read_sample_weight
from evoter.evolution.engine import Result, Watcher
from evoter.evolution.settings import PRESETS, Settings
from evoter.evolution.stopping import Generations, Seconds, Stagnation, Stopping, TargetScore
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification import ClassificationProblem
from evoter.problems.deciding import TableDecisions, decide_columns
from evoter.problems.pruning import majority_actions, measure_support, prune_insignificant, smoothed_frequencies
from evoter.rules.explain import Explanation, explain
from evoter.rules.model import Mode, RuleSet
from evoter.rules.simplify import prune_inactive, simplify
from evoter.tables import encode, infer_schema

PARSIMONY = 0.06
"""What a condition costs by default, in accuracy, times the root of the number of rows: an accuracy is as uncertain."""


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
    generations : int, default=100
        The most generations.
    patience : int or None, default=20
        Stop after so many generations without improvement.
    max_seconds : float or None, default=None
        Stop after so many seconds. A run that ends by time is not repeatable.
    target_score : float or None, default=None
        Stop when the training score is this good.
    population_size, max_rules, max_conditions : int or None
        Settings by their names, None for the preset's value; see `evoter.evolution.settings.Settings`.
    parsimony : float or None, default=None
        The accuracy that a condition must bring; None is 0.06 divided by the root of the number of different rows
        (0 for the preset "paper").
    settings : mapping or None, default=None
        Any other settings by name.
    mode : {"first", "hardmax", "vote"}, default="first"
        How rules become a decision.
    class_weight : "balanced", mapping or None, default=None
        Weights of classes, beside those of rows; "balanced" gives every class the same weight in all.
    categorical : "auto" or sequence of names or positions, default="auto"
        Columns that hold numbers but mean categories; text and categorical types are recognised.
    initial_rulesets : sequence of RuleSet, default=()
        Rule sets to start from, a person's or an earlier run's. Features, categories and classes are found by name.
    checkpoint : path or None, default=None
        A file for the state of the run, written every ten seconds and at the end. If it exists already, the run goes
        on from there; a file of other data, settings or another seed is refused.
    watchers : sequence of callables, default=()
        Called as `watcher(evolution, progress)` after each generation; True ends the run.
    n_jobs : int or None, default=None
        Threads; None means 1, -1 all cores. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        The seed; with None, a run that finds a checkpoint takes its seed.
    verbose : int, default=0
        1 shows progress in a terminal, and nothing in a pipe.

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
        generations: int = 100,
        patience: int | None = 20,
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
        random_state: RandomState = None,
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

        Ctrl-C ends the search and keeps the best rules so far. Rows of weight 0 count as absent.
        """
        self._validate_params()
        table = read_table(self, X, reset=True)
        classes, codes = read_labels(y)
        check_consistent_length(table, codes)
        weights = read_sample_weight(sample_weight, codes)
        if (weights == 0).any():
            kept = weights > 0
            table, codes, weights = keep_rows(table, kept), codes[kept], weights[kept]
        class_weight = read_class_weight(self.class_weight, classes, codes, weights)
        settings = self._settings()
        schema = infer_schema(table, actions=action_names(classes), categorical=self.categorical, scaled=True)
        weighted = sample_weight is not None
        row_weights = None if class_weight is None and not weighted else weights * _of_rows(class_weight, codes)
        problem = ClassificationProblem(
            schema,
            encode(table, schema),
            codes,
            measure=resolve_metric(self.metric, classes, table, classes[codes], row_weights),
            sample_weight=weights if weighted else None,
            class_weight=class_weight,
            mode=Mode(self.mode),
            smoothing=settings.smoothing,
        )
        if self._parsimony_is_free():
            settings = settings.replace(parsimony=PARSIMONY / np.sqrt(problem.n_distinct))
        result = search(
            problem,
            settings,
            self._stopping(problem.objectives[0].maximise),
            random_state=self.random_state,
            n_jobs=self.n_jobs,
            warm_start=self.initial_rulesets,
            watchers=self.watchers,
            checkpoint=None if self.checkpoint is None else Path(self.checkpoint),
            verbose=self.verbose,
        )
        if result.reason == "interrupted":
            n_generations = result.history.n_generations
            warnings.warn(f"interrupted: keeping the best rules of {n_generations} generations", stacklevel=2)
        self.classes_ = classes
        self.schema_ = schema
        self.history_ = result.history
        self.stop_reason_ = result.reason
        self.evolved_ruleset_ = result.best
        self._settle(problem, result, settings)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row."""
        actions = self._decide(X).actions
        return self.classes_[actions]

    def predict_proba(self, X: Any) -> Floats:
        """Return the smoothed class frequencies of the training rows that the deciding rule decided.

        In mode vote they are averaged over the active rules.
        """
        decisions = self._decide(X)
        if self.ruleset_.mode is not Mode.VOTE:
            return self.rule_probabilities_[decisions.deciders]
        voters = np.column_stack([decisions.active, ~decisions.active.any(axis=1)]).astype(np.float64)
        means: Floats = (voters / voters.sum(axis=1, keepdims=True)) @ self.rule_probabilities_
        return means

    def deciding_rules(self, X: Any) -> Ints:
        """Return the number of the rule, from 0, that decides each row; the number of rules stands for the default.

        In mode vote it is the first active rule whose action won.
        """
        return self._decide(X).deciders

    def decision_path(self, X: Any) -> csr_matrix:
        """Return a sparse matrix (n_samples, n_rules) telling which rules hold on which row."""
        return csr_matrix(self._decide(X).active)

    def explain(self, X: Any) -> Explanation | list[Explanation]:
        """Explain the decision on one row, or on each of several: which rule decided, on which values, and why.

        A mapping, a one-dimensional row or a table of one row gives one explanation, a longer table a list.
        """
        check_is_fitted(self)
        row = named_row(X)
        if row is not None:
            return explain(self.ruleset_, row)
        single = not hasattr(X, "columns") and np.ndim(X) == 1
        table = read_table(self, [list(X)] if single else X, reset=False)
        explanations = [explain(self.ruleset_, row) for row in rows_used(table, self.schema_, self.ruleset_.schema)]
        return explanations[0] if len(explanations) == 1 else explanations

    def _decide(self, X: Any) -> TableDecisions:
        check_is_fitted(self)
        table = read_table(self, X, reset=False)
        return decide_columns(self.ruleset_, encode_used(table, self.schema_, self.ruleset_.schema))

    def _parsimony_is_free(self) -> bool:
        """Tell whether nobody has said what a condition costs."""
        return self.preset == "default" and self.parsimony is None and "parsimony" not in (self.settings or {})

    def _settings(self) -> Settings:
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

    def _settle(self, problem: ClassificationProblem, result: Result, settings: Settings) -> None:
        """Prune and simplify the winner, and count what its rules do on the training rows."""
        voting = problem.mode is Mode.VOTE
        ruleset = simplify(prune_inactive(result.best, result.times_applied if voting else result.times_decided))
        if isinstance(self.metric, str) and self.metric == "accuracy" and not voting:
            if settings.majority_actions:
                ruleset = simplify(majority_actions(ruleset, problem))
            if settings.significance > 0.0:
                ruleset = simplify(prune_insignificant(ruleset, problem, settings.significance))
                ruleset = simplify(majority_actions(ruleset, problem))
        support = measure_support(ruleset, problem)
        self.ruleset_ = ruleset.restricted()
        self.times_applied_ = support.times_applied
        self.times_decided_ = support.times_decided
        self.rule_probabilities_ = smoothed_frequencies(support, problem)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        parameters = super().__repr__(N_CHAR_MAX)
        if not hasattr(self, "ruleset_"):
            return str(parameters)
        return f"{parameters}\n{self.ruleset_.to_text('aligned', declarations=False)}"

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if hasattr(self, "ruleset_") and "text/html" in bundle:
            bundle["text/html"] = self.ruleset_.to_text("html") + bundle["text/html"]
        return bundle


def _of_rows(class_weight: Floats | None, codes: Ints) -> Floats | float:
    return 1.0 if class_weight is None else class_weight[codes]
