"""EvolvedClassifier: what all classifiers share whose rules are found by evolution, whatever they read."""

import os
import time
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from operator import index
from typing import Any, ClassVar, Self, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from evoter.estimators.classification.answering import RuleClassifier, TrainingExamples, keep_weighted
from evoter.estimators.classification.candidates import Settled, importances_on, settle, settle_front
from evoter.estimators.classification.every_row import EveryRow, row_samples
from evoter.estimators.classification.row_samples import draw_rows
from evoter.estimators.classification.scoring import Metric, resolve_metric
from evoter.estimators.classification.training_rows import TrainingRows
from evoter.estimators.classification.weights import read_class_weight
from evoter.estimators.finalists import candidates_of, mark_chosen, unmark_chosen
from evoter.estimators.forms import TABLE_FORMS, Forms
from evoter.estimators.group_measures import check_limits, is_group_measure, read_fit_groups
from evoter.estimators.guardrails import Forbiddens, check_kept, guardrails_of, with_frequent_fallback
from evoter.estimators.inputs import take_rows
from evoter.estimators.labels import action_names, read_probabilities
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
from evoter.execution.starting import Startable
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.preparation import prepare
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.support import majority_actions
from evoter.problems.classification.targets.soft_targets import Told
from evoter.rules.files.sources import Rules, read_ruleset
from evoter.rules.guardrails.reading import Monotones, Pinned
from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes import mode_of
from evoter.rules.schema import Schema
from evoter.rules.simplify import simplify
from evoter.tables.panel import Panel
from evoter.tables.stored.table import StoredTable


class EvolvedClassifier(RuleClassifier):
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
        n_islands: int | None,
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
        executor: str | Startable,
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
        self.n_islands = n_islands
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
        self.executor = executor
        self.random_state = random_state
        self.verbose = verbose

    _default_forms: ClassVar[tuple[str, ...]] = TABLE_FORMS

    @abstractmethod
    def _describe(self, examples: Any, actions: Iterable[str]) -> tuple[Schema, Floats | Panel | StoredTable]:
        """Return the schema of the training examples, and the examples as a problem takes them, or as stored."""

    def _open(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Return examples and labels that can be read: tables that are read in batches are stored first."""
        return X, y

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, protected: Any = None) -> Self:
        """Evolve rules for the examples `X` with the class labels `y`.

        Ctrl-C ends the search and keeps the best rules so far. Examples of weight 0 count as absent.
        `protected` are the columns whose groups some objective or constraint compares: names of columns of `X`, or a
        mapping or data frame with one value for each example, which rules then cannot read.
        """
        begun = time.perf_counter()
        self._validate_params()
        X, y = self._open(X, y)
        training = self._read_training(X, y, sample_weight)
        return self._evolve(training, X, begun=begun, weighted=sample_weight is not None, protected=protected)

    def fit_probabilities(
        self,
        X: Any,
        probabilities: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        *,
        softness: float = 1.0,
        price: float = 1.0,
    ) -> Self:
        """Evolve rules for examples whose classes are known by their probabilities: what another model says of them.

        `probabilities` has a row for each example and a column for each of `classes`, which are 0, 1, ... by default.
        Rules are evaluated by the expected score: the targets are to `softness` these probabilities, and for the rest
        the most probable class alone. The probabilities of the model estimate the given ones, whatever the softness.
        Without `parsimony`, a condition must gain `price` times what it must gain otherwise.
        """
        begun = time.perf_counter()
        self._validate_params()
        if not 0.0 <= softness <= 1.0:
            raise ValueError(f"softness must be a share from 0 to 1, got {softness!r}")
        labels, shares = read_probabilities(probabilities, classes)
        examples = self._read(X, reset=True)
        check_consistent_length(examples, shares)
        training = TrainingExamples(labels, *keep_weighted(examples, np.argmax(shares, axis=1), sample_weight))
        if price != 1.0 and not parsimony_is_free(self):
            raise ValueError(f"price={price:g} has no effect beside parsimony: leave one of them out")
        told = Told(shares[training.kept], softness, price)
        return self._evolve(training, X, begun=begun, weighted=sample_weight is not None, told=told)

    def _evolve(
        self,
        training: TrainingExamples,
        X: Any,
        *,
        begun: float,
        weighted: bool,
        protected: Any = None,
        told: Told | None = None,
    ) -> Self:
        """Evolve rules for examples that have been read; `told` are probabilities of their classes, if known."""
        classes, examples, codes, weights, kept = training
        limits = read_constraints(self.constraints)
        metric, others = read_objectives(self.objectives, self.metric)
        groups = [
            replace(each, codes=each.codes[kept])
            for each in read_fit_groups(protected, X, len(kept), [*others, *limits])
        ]
        class_weight = read_class_weight(self.class_weight, classes, codes, weights)
        settings = settings_of(self)
        schema, data = self._describe(examples, action_names(classes))
        columns = self._feature_groups(schema)
        rails = guardrails_of(self, schema, Mode(self.mode), labels=classes.tolist(), columns=columns)
        rails = with_frequent_fallback(rails, np.bincount(codes, weights, len(classes)).astype(np.float64))
        by_group = any(map(is_group_measure, [*others, *limits]))
        everything: EveryRow | None = None
        if not isinstance(data, Panel):
            targets = None if told is None else told.targets(codes, softness=1.0)
            everything = EveryRow(schema, data, codes, weights, class_weight, targets)
            drawn = self._rows_to_evaluate(everything, settings, by_group=by_group)
            if drawn is None:
                data, everything = everything.encoded(), None
            else:
                examples, codes, weights = take_rows(examples, drawn), codes[drawn], weights[drawn]
                data = everything.columns(drawn)
                told = None if told is None else told._replace(probabilities=told.probabilities[drawn])
        scored = make_secondary([*others, *limits], schema, data, Mode(self.mode), self.feature_prices)
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
            groups=groups,
            guardrails=rails,
        )
        seconds = None if self.max_seconds is None else self.max_seconds - (time.perf_counter() - begun)
        prepared = prepare(
            problem, softness=settings.soft_targets, n_threads=count_threads(self.n_jobs), seconds=seconds, told=told
        )
        problem = prepared.problem
        recorded = problem if told is None else problem.guided_by(told.targets(codes, softness=1.0))
        if parsimony_is_free(self):
            settings = settings.replace(parsimony=prepared.price)
        result = search(self, problem, settings, seed=draw_seed(self), begun=begun)
        warn_if_interrupted(result, "rules", stacklevel=4)
        self.classes_ = classes
        self.schema_ = schema
        self.guardrails_ = rails
        self.history_ = result.history
        self.stop_reason_ = result.reason
        self.evolved_ruleset_ = result.best
        self.parsimony_ = settings.parsimony
        self.n_rows_ = len(codes) if everything is None else len(everything.codes)
        self.row_samples_ = row_samples(problem, settings, self.n_rows_)
        for name in ("front_", "finalists_", "_settled", "group_values_"):  # of an earlier fit
            if hasattr(self, name):
                delattr(self, name)
        self._training_rows = TrainingRows.of(data) if everything is None else everything.remembered()

        finish = partial(_final_form, problem=problem, settings=settings)
        importances = importances_on(schema, data, columns, weights)
        recount = None if everything is None else partial(everything.recount, groups=columns)
        if result.front is not None:
            self.front_, self._settled = settle_front(result.front, recorded, importances, recount)
            self._choose(select_candidate(self.front_, self.select, settings.parsimony))
        elif result.finalists:
            candidates = candidates_of(result.finalists, problem, finish, count_threads(self.n_jobs))
            self.finalists_, self._settled = settle_front(candidates, recorded, importances, recount)
            self._choose(select_finalist(self.finalists_, self.select, settings.parsimony))
        else:
            winner = Finalist(result.best, result.times_applied, result.times_decided)
            self._become(settle(finish(winner), recorded, importances, recount))
        if any(map(is_group_measure, scored)):
            self.group_values_ = check_limits(problem, self.ruleset_.replace(schema=schema), limits)
        return self

    def _rows_to_evaluate(self, rows: EveryRow, settings: Settings, *, by_group: bool) -> Ints | None:
        """Return a sample of the rows if there are more than rules are to be evaluated on, else None."""
        if len(rows.codes) <= settings.evaluation_rows:
            return None
        if not by_group:
            return draw_rows(rows.codes, settings.evaluation_rows)
        if isinstance(rows.data, StoredTable):
            raise ValueError(
                f"objectives and constraints on groups or recall are computed from all rows, and {len(rows.codes):,} "
                f"rows of a table that is read in batches are more than evaluation_rows, {settings.evaluation_rows:,}; "
                "raise that setting, as far as memory permits, or fit on a part of the rows"
            )
        return None

    def with_ruleset(
        self,
        candidate: Candidate | SupportsIndex | Rules,
        X: Any = None,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Return a copy of the model with other rules: a candidate of its front, another finalist, or edited rules.

        A candidate is given by itself or by its number, and nothing is fitted again. Edited rules are a rule set, text
        or the path of a file; features and classes are found by name, and the rules may read only some of them. `X` and
        `y`, best the training rows, are what their statistics are measured on. Without them the model predicts, but has
        no probabilities, unless the rules bring track records. A clone of the model evolves rules anew, as in
        cross-validation: `RuleSetClassifier` is the estimator that keeps its rules.
        """
        if isinstance(candidate, RuleSet | str | os.PathLike):
            other = self._with_rules(read_ruleset(candidate), X, y, sample_weight)
            unmark_chosen(other)
            return other
        check_is_fitted(self)
        if X is not None or y is not None:
            raise ValueError("X and y are for edited rules: the statistics of a candidate are known")
        other = copy(self)
        other._choose(candidate if isinstance(candidate, Candidate) else index(candidate))
        return other

    def _choose(self, candidate: Candidate | int) -> None:
        needs = 'several objectives, such as objectives=["accuracy", "complexity"], or with select="neighbours",'
        number = mark_chosen(self, candidate, needs=needs)
        self._become(self._settled[number])

    def _become(self, settled: Settled) -> None:
        check_kept(self.guardrails_, settled.ruleset)
        super()._become(settled)


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
