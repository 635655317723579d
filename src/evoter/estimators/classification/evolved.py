"""EvolvedClassifier: what all classifiers share whose rules are found by evolution, whatever they read."""

import os
import time
from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from operator import index
from typing import Any, ClassVar, Self, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from evoter.estimators.classification.candidates import Settled, settle, settle_front
from evoter.estimators.classification.scoring import Metric, resolve_metric
from evoter.estimators.classification.weights import read_class_weight, read_sample_weight
from evoter.estimators.forms import TABLE_FORMS, Forms
from evoter.estimators.inputs import keep_rows
from evoter.estimators.labels import action_names, read_labels
from evoter.estimators.objectives import (
    Select,
    make_secondary,
    read_constraints,
    read_objectives,
    select_candidate,
)
from evoter.estimators.search import (
    RandomState,
    count_threads,
    draw_seed,
    parsimony_is_free,
    refuse_unused,
    search,
    settings_of,
    warn_if_interrupted,
)
from evoter.evolution.engine import Result, Watcher
from evoter.evolution.fronts.front import Candidate
from evoter.evolution.problem import Capability
from evoter.evolution.settings import Settings
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.preparation import prepare
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.support import majority_actions
from evoter.problems.deciding import TableDecisions
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
        refuse_unused(self, "select", used=bool(others), needs='several objectives, such as ["accuracy", "complexity"]')
        schema, data = self._describe(examples, action_names(classes))
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
        self.history_ = result.history
        self.stop_reason_ = result.reason
        self.evolved_ruleset_ = result.best
        for name in ("front_", "_settled"):  # of an earlier fit
            if hasattr(self, name):
                delattr(self, name)
        if result.front is None:
            self._become(settle(self._final_form(problem, result, settings), problem))
        else:
            self.front_, self._settled = settle_front(result.front, problem)
            self._choose(select_candidate(self.front_, self.select, settings.parsimony))
        return self

    def with_ruleset(self, candidate: Candidate | SupportsIndex) -> Self:
        """Return a copy of the model that is another candidate of its front, given by itself or its number.

        Nothing is fitted again.
        """
        check_is_fitted(self)
        if not hasattr(self, "front_"):
            raise ValueError(
                "this model has no front: fit it with several objectives first, such as "
                'objectives=["accuracy", "complexity"]'
            )
        other = copy(self)
        other._choose(candidate if isinstance(candidate, Candidate) else index(candidate))
        return other

    def _choose(self, candidate: Candidate | int) -> None:
        self.front_ = self.front_.choose(candidate)
        assert self.front_.chosen is not None
        self._become(self._settled[self.front_.chosen])

    def _become(self, settled: Settled) -> None:
        self.ruleset_ = settled.ruleset
        self.times_applied_ = settled.times_applied
        self.times_decided_ = settled.times_decided
        self.rule_probabilities_ = settled.probabilities

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each example."""
        actions = self._decide(X).actions
        return self.classes_[actions]

    def predict_proba(self, X: Any) -> Floats:
        """Return the smoothed class frequencies of the training rows that the deciding rule decided.

        In mode vote they are averaged over the active rules.
        """
        decisions = self._decide(X)
        if not mode_of(self.ruleset_.mode).needs_active_rules:
            return self.rule_probabilities_[decisions.deciders]
        voters = np.column_stack([decisions.active, ~decisions.active.any(axis=1)]).astype(np.float64)
        means: Floats = (voters / voters.sum(axis=1, keepdims=True)) @ self.rule_probabilities_
        return means

    def deciding_rules(self, X: Any) -> Ints:
        """Return the index of the rule, from 0, that decides each example; for the default it is the number of rules.

        In mode vote it is the first active rule whose action won.
        """
        return self._decide(X).deciders

    def decision_path(self, X: Any) -> csr_matrix:
        """Return a sparse matrix (n_samples, n_rules) telling which rules hold on which example."""
        return csr_matrix(self._decide(X).active)

    def _final_form(self, problem: ClassificationProblem, result: Result, settings: Settings) -> RuleSet:
        """Prune and simplify the winner."""
        mode = mode_of(problem.mode)
        ruleset = problem.final_form(result.best, mode.use_counts(result.times_applied, result.times_decided))
        if Capability.FINAL_PRUNING not in problem.capabilities:
            return ruleset
        if settings.majority_actions:
            ruleset = simplify(majority_actions(ruleset, problem))
        return ruleset

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
