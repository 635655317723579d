"""EvoterRegressor: readable rules that predict numbers, from tables, behind scikit-learn's interface."""

import os
import time
from collections.abc import Mapping, Sequence
from copy import copy
from numbers import Real
from operator import index
from types import SimpleNamespace
from typing import Any, ClassVar, Self, SupportsIndex, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from evoter.estimators.finalists import candidates_of, mark_chosen, unmark_chosen
from evoter.estimators.forms import TABLE_FORMS, Forms
from evoter.estimators.group_measures import is_group_measure
from evoter.estimators.guardrails import check_kept, guardrails_of
from evoter.estimators.objectives import (
    SECONDARY,
    Select,
    make_secondary,
    read_constraints,
    select_candidate,
    select_finalist,
)
from evoter.estimators.regression.answering import RuleRegressor, read_training, target_name
from evoter.estimators.regression.given_rules import RuleSetRegressor, match_numbers
from evoter.estimators.regression.settling import NumberRows, Settled, settle
from evoter.estimators.run_parameters import (
    CLASSIFIER_PARAMETERS,
    GUARDRAIL_PARAMETERS,
    RUN_PARAMETERS,
    share_parameters,
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
from evoter.evolution.fronts.front import Candidate, Front, make_front
from evoter.evolution.stopping import GENERATIONS, PATIENCE
from evoter.execution.starting import Startable
from evoter.problems.deciding import decide_columns
from evoter.problems.regression.losses import SCORES, Metric, check_numbers
from evoter.problems.regression.numbers import with_numbers
from evoter.problems.regression.preparation import prepare
from evoter.problems.regression.problem import RegressionProblem
from evoter.problems.regression.pruning import prune_unneeded
from evoter.problems.regression.warm_start import as_candidates
from evoter.problems.secondary import Secondary
from evoter.rules.errors import did_you_mean
from evoter.rules.files.sources import Rules, read_ruleset
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.reading import Pinned
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Schema, Target
from evoter.rules.simplify import simplify
from evoter.tables import encode, infer_schema


@share_parameters(CLASSIFIER_PARAMETERS, GUARDRAIL_PARAMETERS, RUN_PARAMETERS)
class EvoterRegressor(RuleRegressor):
    """A regressor that is a short list of IF-THEN rules with a number each, found by evolution.

    Reads numbers, categories, booleans and missing values as they are, from arrays and data frames. The number of a
    rule is the best one for the rows it decides: a constant or, with `linear`, `12 + 0.3*age` where that is worth it.
    It is rounded to few digits, so that what is read is what is computed.

    Parameters
    ----------
    metric : {"squared", "absolute", "poisson", "quantile"}, default="squared"
        The loss: rules predict means, medians, means of counts, or the quantile `quantile`.
    quantile : float, default=0.5
        The quantile that is predicted, for the metric "quantile".
    linear : bool, default=True
        Whether the number of a rule may have a linear term in one feature that is never missing in training. It counts
        as a condition. For the metric "squared"; the others predict constants.
    level : float, default=0.9
        The share of true numbers that intervals are to contain.
    target_name : str or None, default=None
        What is predicted; None is the name of `y`, if it has one.
    target_unit : str, default=""
        The unit of what is predicted, which rules print.
    objectives : sequence of str or None, default=None
        Several objectives to trade off: "metric", or the name of the score ("r2", "d2_absolute", "d2_poisson" or
        "d2_pinball"), then one or more of "complexity" (conditions and linear terms), "rules", "features",
        "feature_cost", "rare_rules" and "novelty". The result is a front.
    constraints : mapping or None, default=None
        Upper limits of "complexity", "rules", "features", "feature_cost" and "rare_rules".
    parsimony : float or None, default=None
        The score that a condition or a linear term must bring. None follows from the data: a part of the standard
        error of held-out predictions (see `evoter.problems.regression.preparation`).

    Attributes
    ----------
    ruleset_ : RuleSet
        The rules, pruned and simplified, over the features they read, with residuals and counts.
    front_, finalists_ : Front
        As for `EvoterClassifier`; the score is that of the training rows.
    schema_ : Schema
        All features of the training table, and the target.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    history_, stop_reason_, parsimony_, guardrails_, evolved_ruleset_
        As for `EvoterClassifier`; the actions of evolved rules are the numbers of candidates.
    times_applied_, times_decided_ : ndarray of shape (n_rules + 1,)
        On how many training rows each rule, and last the default, held and decided.
    feature_importances_ : ndarray of shape (n_features,)
        How much of the training score is lost where a feature is unknown: conditions that read it are false, and linear
        terms read its mean.
    training_score_ : float
        The score on the training rows: R2, or for other losses the share of the loss of a single number that is saved.
    n_rows_ : int
        The number of training rows.

    Examples
    --------
    >>> import numpy as np
    >>> from evoter import EvoterRegressor
    >>> age = np.arange(20, 80)
    >>> X = np.column_stack([age, age % 7])
    >>> y = np.where(age > 50, 30, 10) + 0.5 * age
    >>> model = EvoterRegressor(random_state=0, generations=5).fit(X, y)
    >>> print(model.ruleset_.to_text(declarations=False))
    1. x0 <= 50.5 -> 10 + 0.5*x0
    2. Default -> 30 + 0.5*x0
    >>> model.predict([[60, 4]])
    array([60.])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "metric": [StrOptions(set(SCORES))],
        "quantile": [Interval(Real, 0.0, 1.0, closed="neither")],
        "linear": ["boolean"],
        "level": [Interval(Real, 0.0, 1.0, closed="neither")],
        "target_name": [str, None],
        "target_unit": [str],
    }
    _default_forms: ClassVar[tuple[str, ...]] = TABLE_FORMS

    def __init__(
        self,
        *,
        preset: str = "default",
        metric: Metric = "squared",
        quantile: float = 0.5,
        linear: bool = True,
        level: float = 0.9,
        target_name: str | None = None,
        target_unit: str = "",
        objectives: Sequence[str] | None = None,
        select: Select = None,
        constraints: Mapping[str, float] | None = None,
        feature_prices: Mapping[str, float] | None = None,
        pinned: Pinned = (),
        forbidden_features: Sequence[str | int] = (),
        generations: int = GENERATIONS,
        patience: int | None = PATIENCE,
        max_seconds: float | None = None,
        target_score: float | None = None,
        population_size: int | None = None,
        n_islands: int | None = None,
        max_rules: int | None = None,
        max_conditions: int | None = None,
        parsimony: float | None = None,
        forms: Forms = None,
        settings: Mapping[str, object] | None = None,
        categorical: str | Sequence[str | int] = "auto",
        units: Mapping[str, str] | None = None,
        initial_rulesets: Sequence[RuleSet] = (),
        checkpoint: str | os.PathLike[str] | None = None,
        watchers: Sequence[Watcher] = (),
        n_jobs: int | None = None,
        executor: str | Startable = "threads",
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.preset = preset
        self.metric = metric
        self.quantile = quantile
        self.linear = linear
        self.level = level
        self.target_name = target_name
        self.target_unit = target_unit
        self.objectives = objectives
        self.select = select
        self.constraints = constraints
        self.feature_prices = feature_prices
        self.pinned = pinned
        self.forbidden_features = forbidden_features
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
        self.categorical = categorical
        self.units = units
        self.initial_rulesets = initial_rulesets
        self.checkpoint = checkpoint
        self.watchers = watchers
        self.n_jobs = n_jobs
        self.executor = executor
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Evolve rules for the rows `X` with the numbers `y`.

        Ctrl-C ends the search and keeps the best rules so far. Rows of weight 0 count as absent.
        """
        begun = time.perf_counter()
        self._validate_params()
        if self.quantile != 0.5 and self.metric != "quantile":
            raise ValueError(f"quantile={self.quantile} has no effect here, since it needs metric='quantile'")
        examples = self._read(X, reset=True)
        examples, numbers, weights, _ = read_training(examples, y, sample_weight)
        check_numbers(self.metric, numbers)
        settings = settings_of(self)
        schema = self._describe(examples, Target(target_name(y, self.target_name), self.target_unit))
        columns = encode(examples, schema)
        others, limits = self._read_measures()
        rails = self._read_guardrails(schema)
        free = self._left_by(rails, schema, columns)
        scored = make_secondary(
            [*others, *limits], Schema(schema.features, ["0"]), columns[:, free], Mode.FIRST, self.feature_prices
        )
        by_name = cast(Mapping[str, Secondary], scored)
        problem = RegressionProblem(
            schema,
            columns[:, free],
            numbers[free],
            metric=self.metric,
            quantile=self.quantile,
            sample_weight=None if sample_weight is None else weights[free],
            linear=self.linear,
            secondary=[by_name[name] for name in others],
            limits=[(by_name[name], most) for name, most in limits.items()],
            forbidden_features=rails.forbidden_features,
        )
        seconds = None if self.max_seconds is None else self.max_seconds - (time.perf_counter() - begun)
        prepared = prepare(
            problem, softness=settings.soft_targets, n_threads=count_threads(self.n_jobs), seconds=seconds
        )
        if parsimony_is_free(self):
            settings = settings.replace(parsimony=prepared.price)
        problem = prepared.problem.changed(linear_price=settings.parsimony)
        start = [as_candidates(ruleset, problem) for ruleset in self.initial_rulesets]
        result = search(self, problem, settings, seed=draw_seed(self), begun=begun, initial_rulesets=start)
        warn_if_interrupted(result, "rules")
        self.schema_ = schema
        self.guardrails_ = rails
        self.history_ = result.history
        self.stop_reason_ = result.reason
        self.evolved_ruleset_ = result.best
        self.parsimony_ = settings.parsimony
        self.n_rows_ = len(numbers)
        for name in ("front_", "finalists_", "_settled"):  # of an earlier fit
            if hasattr(self, name):
                delattr(self, name)
        rows = NumberRows(
            schema, columns, numbers, weights, self.metric, problem.quantile, self.level, prepared.held_out_loss, True
        )

        def finish(ruleset: RuleSet) -> Settled:
            # A linear term more might break a limit of complexity.
            added = "complexity" not in limits
            numeric = with_numbers(ruleset, problem, schema.target or Target(), settings.parsimony, added=added)
            return settle(simplify(numeric.replace(rules=(*rails.pinned, *numeric.rules))), rows)

        def final_form(finalist: Finalist) -> RuleSet:
            return problem.final_form(finalist.ruleset, finalist.times_decided)

        if result.front is not None:
            self.front_, self._settled = self._settle_front(result.front, finish, rows)
            self._choose(select_candidate(self.front_, self.select, settings.parsimony))
        elif result.finalists:
            candidates = candidates_of(result.finalists, problem, final_form, count_threads(self.n_jobs))
            self.finalists_, self._settled = self._settle_front(candidates, finish, rows)
            self._choose(select_finalist(self.finalists_, self.select, settings.parsimony))
        else:
            winner = Finalist(result.best, result.times_applied, result.times_decided)
            self._become(finish(prune_unneeded(final_form(winner), problem, settings.parsimony)))
        return self

    def _describe(self, examples: Any, target: Target) -> Schema:
        compares = settings_of(self).comparison_rate > 0.0
        inferred = infer_schema(
            examples, actions=["0"], categorical=self.categorical, units=self.units, scaled=compares
        )
        return Schema(inferred.features, ["0"], target=target)

    def _read_measures(self) -> tuple[tuple[str, ...], dict[str, float]]:
        """Return the names of the objectives beside the score, and the limits."""
        limits = read_constraints(self.constraints)
        names = () if self.objectives is None else tuple(self.objectives)
        own = SCORES[self.metric]
        if self.objectives is not None and (len(set(names)) < max(len(names), 2) or names[0] not in ("metric", own)):
            raise ValueError(
                f"objectives must be 'metric' or {own!r} and one or more of {', '.join(SECONDARY)}, each once, got "
                f"{self.objectives!r}"
            )
        for name in (*names[1:], *limits):
            if is_group_measure(name):
                raise ValueError(f"{name!r} is about classes: rules for numbers have no such objective or constraint")
            if name not in SECONDARY:
                raise ValueError(f"unknown objective {name!r}{did_you_mean(name, SECONDARY)}")
        return names[1:], limits

    def _read_guardrails(self, schema: Schema) -> Guardrails:
        asked = SimpleNamespace(
            pinned=self.pinned,
            forbidden_features=self.forbidden_features,
            forbidden=(),
            monotone=None,
            monotone_order=None,
        )
        return guardrails_of(asked, schema, Mode.FIRST)

    def _left_by(self, rails: Guardrails, schema: Schema, columns: Any) -> Any:
        """Return the rows that pinned rules leave to others."""
        if not rails.pinned:
            return slice(None)
        free = ~decide_columns(RuleSet(rails.pinned, "0", schema), columns).active.any(axis=1)
        if np.count_nonzero(free) < 2:
            raise ValueError("pinned rules decide all training rows: nothing is left to learn; pin fewer rules")
        return np.flatnonzero(free)

    def _settle_front(self, front: Front, finish: Any, rows: NumberRows) -> tuple[Front, tuple[Settled, ...]]:
        """Give all candidates their numbers, and score them as they are now; those that others beat are left out."""
        settled = [finish(candidate.ruleset) for candidate in front]
        measure = front.objectives[0].name

        def scores(candidate: Candidate, one: Settled) -> list[float]:
            now = {measure: one.score, "complexity": float(one.ruleset.n_conditions)}
            return [now.get(each.name, candidate.scores[each.name]) for each in front.objectives]

        behaviours = [decide_columns(one.ruleset, rows.columns_of(one.ruleset)).deciders for one in settled]
        table = [scores(candidate, one) for candidate, one in zip(front, settled, strict=True)]
        better = make_front([one.ruleset for one in settled], table, front.objectives, behaviours)
        by_rules = {id(one.ruleset): one for one in settled}
        return better, tuple(by_rules[id(candidate.ruleset)] for candidate in better)

    @classmethod
    def from_ruleset(cls, ruleset: Rules) -> RuleSetRegressor:
        """Return a regressor that is a given rule set, which predicts without having been fitted.

        Its `fit` measures the rules and never changes them; see `RuleSetRegressor.from_ruleset`.
        """
        return RuleSetRegressor.from_ruleset(ruleset)

    def with_ruleset(
        self,
        candidate: Candidate | SupportsIndex | Rules,
        X: Any = None,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Return a copy of the model with other rules: a candidate of its front, another finalist, or edited rules.

        A candidate is given by itself or by its number, and nothing is fitted again. Edited rules are a rule set, text
        or the path of a file; features are found by name. `X` and `y`, best the training rows, are what their residuals
        are measured on; without them the model predicts, but has intervals only if the rules bring residuals.
        """
        check_is_fitted(self)
        other = copy(self)
        if not isinstance(candidate, RuleSet | str | os.PathLike):
            if X is not None or y is not None:
                raise ValueError("X and y are for edited rules: the statistics of a candidate are known")
            other._choose(candidate if isinstance(candidate, Candidate) else index(candidate))
            return other
        given = match_numbers(read_ruleset(candidate), self.schema_)
        if (X is None) is not (y is None):
            raise ValueError("the residuals of rules are measured on rows with numbers: pass both X and y")
        for name in self._statistics:
            if hasattr(other, name):
                delattr(other, name)
        other.ruleset_ = given.restricted()
        if X is not None:
            examples = self._read(X, reset=False)
            examples, numbers, weights, _ = read_training(examples, y, sample_weight)
            judged = (self.metric, 0.5 if self.metric == "absolute" else self.quantile, self.level)
            rows = NumberRows(self.schema_, self._encode(examples), numbers, weights, *judged)
            other._become(settle(given, rows))
            other.n_rows_ = len(numbers)
        unmark_chosen(other)
        return other

    def _choose(self, candidate: Candidate | int) -> None:
        needs = 'several objectives, such as objectives=["metric", "complexity"], or with select="neighbours",'
        number = mark_chosen(self, candidate, needs=needs)
        self._become(self._settled[number])

    def _become(self, settled: Settled) -> None:
        check_kept(self.guardrails_, settled.ruleset)
        super()._become(settled)
