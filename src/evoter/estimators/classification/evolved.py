"""EvolvedClassifier: what all classifiers share whose rules are found by evolution, whatever they read."""

import os
import time
import warnings
from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import partial
from operator import index
from typing import Any, ClassVar, Self, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from evoter.estimators.classification.candidates import Settled, settle, settle_front
from evoter.estimators.classification.scoring import Metric, resolve_metric
from evoter.estimators.classification.training_rows import TrainingRows
from evoter.estimators.classification.weights import read_class_weight, read_sample_weight
from evoter.estimators.finalists import candidates_of, mark_chosen
from evoter.estimators.forms import TABLE_FORMS, Forms
from evoter.estimators.guardrails import Forbiddens, check_kept, guardrails_of, with_frequent_fallback
from evoter.estimators.inputs import keep_rows
from evoter.estimators.labels import action_names, read_labels
from evoter.estimators.objectives import (
    Select,
    make_secondary,
    read_constraints,
    read_objectives,
    select_candidate,
    select_finalist,
)
from evoter.estimators.search import (
    RandomState,
    count_threads,
    draw_seed,
    parsimony_is_free,
    search,
    settings_of,
    warn_if_interrupted,
)
from evoter.evolution.engine import Finalist, Watcher
from evoter.evolution.fronts.front import Candidate
from evoter.evolution.problem import Capability
from evoter.evolution.settings import Settings
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.overfitting import AccuracyComparison, OverfittingWarning
from evoter.problems.classification.preparation import prepare
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.support import majority_actions
from evoter.problems.deciding import TableDecisions, decision_probabilities
from evoter.problems.importances import importances_of
from evoter.rules.guardrails.reading import Monotones, Pinned
from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes import mode_of
from evoter.rules.schema import Schema
from evoter.rules.simplify import simplify
from evoter.tables.panel import Panel


class EvolvedClassifier(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):  # type: ignore[misc]
    """A classifier whose rules are found by evolution; a subclass says how examples are read and described.

    `evoter.estimators.run_parameters` documents the parameters, `EvoterClassifier` the attributes.
    """

    def __init__(
        self,
        *,
        preset: str,
        metric: Metric,
        objectives: Sequence[str] | None,
        select: Select,
        constraints: Mapping[str, float] | None,
        feature_prices: Mapping[str, float] | None,
        pinned: Pinned,
        forbidden_features: Sequence[str | int],
        forbidden: Forbiddens,
        monotone: Monotones | None,
        monotone_order: Sequence[Any] | None,
        generations: int,
        patience: int | None,
        max_seconds: float | None,
        target_score: float | None,
        population_size: int | None,
        max_rules: int | None,
        max_conditions: int | None,
        parsimony: float | None,
        forms: Forms,
        settings: Mapping[str, object] | None,
        mode: str,
        class_weight: str | Mapping[Any, float] | None,
        initial_rulesets: Sequence[RuleSet],
        checkpoint: str | os.PathLike[str] | None,
        watchers: Sequence[Watcher],
        n_jobs: int | None,
        random_state: RandomState,
        verbose: int,
    ) -> None:
        self.preset = preset
        self.metric = metric
        self.objectives = objectives
        self.select = select
        self.constraints = constraints
        self.feature_prices = feature_prices
        self.pinned = pinned
        self.forbidden_features = forbidden_features
        self.forbidden = forbidden
        self.monotone = monotone
        self.monotone_order = monotone_order
        self.generations = generations
        self.patience = patience
        self.max_seconds = max_seconds
        self.target_score = target_score
        self.population_size = population_size
        self.max_rules = max_rules
        self.max_conditions = max_conditions
        self.parsimony = parsimony
        self.forms = forms
        self.settings = settings
        self.mode = mode
        self.class_weight = class_weight
        self.initial_rulesets = initial_rulesets
        self.checkpoint = checkpoint
        self.watchers = watchers
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    _default_forms: ClassVar[tuple[str, ...]] = TABLE_FORMS

    @abstractmethod
    def _read(self, X: Any, *, reset: bool) -> Any:
        """Return the examples that a user hands in, checked; with `reset`, remember what they look like."""

    @abstractmethod
    def _describe(self, examples: Any, actions: Iterable[str]) -> tuple[Schema, Floats | Panel]:
        """Return the schema of the training examples, and the examples as a problem takes them."""

    @abstractmethod
    def _decide(self, X: Any) -> TableDecisions:
        """Return what the rules decide on each example."""

    @abstractmethod
    def _encode(self, examples: Any) -> Floats | Panel:
        """Return examples, as `_read` gives them, in the form that `_describe` gave the training examples."""

    def _feature_groups(self, schema: Schema) -> dict[str, tuple[str, ...]]:
        """Return the features in which rules are written by the name of the feature that users hand in."""
        return {name: (name,) for name in schema.names}

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Evolve rules for the examples `X` with the class labels `y`.

        Ctrl-C ends the search and keeps the best rules so far. Examples of weight 0 count as absent.
        """
        begun = time.perf_counter()
        self._validate_params()
        examples = self._read(X, reset=True)
        classes, codes = read_labels(y)
        check_consistent_length(examples, codes)
        weights = read_sample_weight(sample_weight, codes)
        if (weights == 0).any():
            kept = weights > 0
            examples, codes, weights = keep_rows(examples, kept), codes[kept], weights[kept]
        class_weight = read_class_weight(self.class_weight, classes, codes, weights)
        settings = settings_of(self)
        metric, others = read_objectives(self.objectives, self.metric)
        schema, data = self._describe(examples, action_names(classes))
        groups = self._feature_groups(schema)
        rails = guardrails_of(self, schema, Mode(self.mode), labels=classes.tolist(), columns=groups)
        rails = with_frequent_fallback(rails, np.bincount(codes, weights, len(classes)).astype(np.float64))
        limits = read_constraints(self.constraints)
        scored = make_secondary([*others, *limits], schema, data, Mode(self.mode), self.feature_prices)
        weighted = sample_weight is not None
        row_weights = None if class_weight is None and not weighted else weights * _of_rows(class_weight, codes)
        problem = ClassificationProblem(
            schema,
            data,
            codes,
            measure=resolve_metric(metric, classes, examples, classes[codes], row_weights),
            sample_weight=weights if weighted else None,
            class_weight=class_weight,
            mode=Mode(self.mode),
            secondary=[scored[name] for name in others],
            limits=[(scored[name], most) for name, most in limits.items()],
            guardrails=rails,
        )
        seconds = None if self.max_seconds is None else self.max_seconds - (time.perf_counter() - begun)
        prepared = prepare(
            problem, softness=settings.soft_targets, n_threads=count_threads(self.n_jobs), seconds=seconds
        )
        problem = prepared.problem
        if parsimony_is_free(self):
            settings = settings.replace(parsimony=prepared.price)
        result = search(self, problem, settings, seed=draw_seed(self), begun=begun)
        warn_if_interrupted(result, "rules")
        self.classes_ = classes
        self.schema_ = schema
        self.guardrails_ = rails
        self.history_ = result.history
        self.stop_reason_ = result.reason
        self.evolved_ruleset_ = result.best
        self.parsimony_ = settings.parsimony
        self.n_rows_ = len(codes)
        for name in ("front_", "finalists_", "_settled"):  # of an earlier fit
            if hasattr(self, name):
                delattr(self, name)
        self._training_rows = TrainingRows.of(data)

        def importances(ruleset: RuleSet) -> Floats:
            read = data if isinstance(data, Panel) else data[[schema.position(name) for name in ruleset.schema.names]]
            return np.array([*importances_of(ruleset, read, self._feature_groups(schema), weights).values()])

        if result.front is not None:
            self.front_, self._settled = settle_front(result.front, problem, importances)
            self._choose(select_candidate(self.front_, self.select, settings.parsimony))
            return self
        finish = partial(_final_form, problem=problem, settings=settings)
        if result.finalists:
            candidates = candidates_of(result.finalists, problem, finish, count_threads(self.n_jobs))
            self.finalists_, self._settled = settle_front(candidates, problem, importances)
            self._choose(select_finalist(self.finalists_, self.select, settings.parsimony))
        else:
            winner = Finalist(result.best, result.times_applied, result.times_decided)
            self._become(settle(finish(winner), problem, importances))
        return self

    def with_ruleset(self, candidate: Candidate | SupportsIndex) -> Self:
        """Return a copy of the model that is another candidate of its front, or another finalist.

        It is given by itself or by its number. Nothing is fitted again.
        """
        check_is_fitted(self)
        other = copy(self)
        other._choose(candidate if isinstance(candidate, Candidate) else index(candidate))
        return other

    def _choose(self, candidate: Candidate | int) -> None:
        needs = 'several objectives, such as objectives=["accuracy", "complexity"], or with select="neighbours",'
        number = mark_chosen(self, candidate, needs=needs)
        self._become(self._settled[number])

    def _become(self, settled: Settled) -> None:
        check_kept(self.guardrails_, settled.ruleset)
        self.ruleset_ = settled.ruleset
        self.times_applied_ = settled.times_applied
        self.times_decided_ = settled.times_decided
        self.rule_probabilities_ = settled.probabilities
        self.feature_importances_ = settled.importances
        self.n_right_ = settled.n_right

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each example."""
        actions = self._decide(X).actions
        return self.classes_[actions]

    def predict_proba(self, X: Any) -> Floats:
        """Return the smoothed class frequencies of the training rows that the deciding rule decided.

        In mode vote they are averaged over the active rules.
        """
        decisions = self._decide(X)
        return decision_probabilities(self.ruleset_, decisions, self.rule_probabilities_)

    def check_overfitting(self, X: Any, y: ArrayLike, *, rows_per_case: float = 1.0) -> AccuracyComparison:
        """Compare the accuracy on unseen examples with that on the training examples, and warn of overfitting.

        Parameters
        ----------
        X, y
            Examples that were not trained on, and their classes.
        rows_per_case : float, default=1.0
            How many examples describe one case on average, such as the visits of a patient. They are alike, so that
            chance explains larger differences.

        Returns
        -------
        AccuracyComparison
            The counts, and the probability of such a difference by Fisher's exact test.

        Warns
        -----
        OverfittingWarning
            If the accuracy on the training examples is higher by at least a hundredth and the probability is below
            0.01. The warning says what to try.
        """
        check_is_fitted(self)
        predicted = self.predict(X)
        check_consistent_length(predicted, y)
        comparison = AccuracyComparison(
            train_right=self.n_right_,
            train_rows=self.n_rows_,
            unseen_right=int(np.count_nonzero(predicted == np.asarray(y))),
            unseen_rows=len(predicted),
            rows_per_case=rows_per_case,
            parsimony=self.parsimony_,
        )
        if comparison.overfitted:
            warnings.warn(OverfittingWarning(comparison), stacklevel=2)
        return comparison

    def deciding_rules(self, X: Any) -> Ints:
        """Return the index of the rule, from 0, that decides each example; for the default it is the number of rules.

        In mode vote it is the first active rule whose action won.
        """
        return self._decide(X).deciders

    def decision_path(self, X: Any) -> csr_matrix:
        """Return a sparse matrix (n_samples, n_rules) telling which rules hold on which example."""
        return csr_matrix(self._decide(X).active)

    def training_share(self, X: Any) -> float:
        """Return the share of examples in `X` whose values equal those of an example that the model was trained on.

        1 for the training table or a part of it, and 0 for unseen examples. Of more than 20,000 training examples,
        20,000 are remembered, and the share is estimated from them; it is NaN if they cannot tell.
        """
        check_is_fitted(self)
        return self._training_rows.share(self._encode(self._read(X, reset=False)))

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


def _final_form(finalist: Finalist, problem: ClassificationProblem, settings: Settings) -> RuleSet:
    """Prune and simplify a rule set as it evolved."""
    counts = mode_of(problem.mode).use_counts(finalist.times_applied, finalist.times_decided)
    ruleset = problem.final_form(finalist.ruleset, counts)
    if Capability.FINAL_PRUNING not in problem.capabilities:
        return ruleset
    if settings.majority_actions:
        changed = majority_actions(ruleset, problem)
        ruleset = problem.guardrails.simplified(changed) if problem.guardrails else simplify(changed)
    return ruleset


def _of_rows(class_weight: Floats | None, codes: Ints) -> Floats | float:
    return 1.0 if class_weight is None else class_weight[codes]
