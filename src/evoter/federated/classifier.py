"""FederatedClassifier: rules evolved on rows that stay where they are."""

import os
import time
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from numbers import Integral, Real
from operator import index
from typing import Any, ClassVar, Self, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from evoter.estimators.finalists import candidates_of, mark_chosen
from evoter.estimators.forms import TABLE_FORMS, Forms
from evoter.estimators.objectives import (
    SECONDARY,
    Select,
    make_secondary,
    read_objectives,
    select_candidate,
    select_finalist,
)
from evoter.estimators.ruleset_classifier import RuleSetClassifier
from evoter.estimators.run_parameters import RUN_PARAMETERS, share_parameters
from evoter.estimators.search import (
    RandomState,
    draw_seed,
    parsimony_is_free,
    search,
    settings_of,
    warn_if_interrupted,
)
from evoter.evolution.engine import Evolution, Finalist, Result, Watcher
from evoter.evolution.fronts.front import Candidate, Front
from evoter.evolution.problem import Capability
from evoter.evolution.settings import Settings, current_names
from evoter.federated.coordinator import Coordinator
from evoter.federated.errors import FederationError
from evoter.federated.grids import N_ROUNDS, n_cuts_for, sketch_cuts
from evoter.federated.problem import METRICS, FederatedProblem
from evoter.federated.settling import finish, settle
from evoter.federated.site import Site
from evoter.federated.summaries import agree_on_schema, class_labels
from evoter.federated.sums import N_SUMS
from evoter.federated.transport import InProcess, Transport
from evoter.genome.codec import encode
from evoter.kernels.layout import Floats
from evoter.kernels.threads import Threads
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Schema

GENERATIONS = 60
"""Maximum number of generations by default: each costs a round of messages."""

PRICE = 0.3
"""What a condition must gain by default, in standard errors of the score of a few rules (see `_price`)."""

TRIAL_PRICE = 0.2
TRIAL_MOVES = 8
"""What a condition of these few rules must gain, in units of the uncertainty of the score, and how they are found."""

FEDERATED = Settings(
    population_size=200, n_refined=6, refinement_interval=5, refinement_moves=40, n_elites=10, soft_targets=0.0
)
"""The settings that a federated run starts from: fewer and larger rounds than on one machine."""

OBJECTIVES = tuple(name for name in SECONDARY if name != "novelty")
"""What can be an objective beside a measure: what the rules themselves and the counts of each rule tell."""

_WITHOUT_EFFECT = {
    "refinement_tries": "exact moves look at all features",
    "refinement_rows": "exact moves look at all rows",
    "sample_rounds": "sites count all their rows",
    "n_age_layers": "sites count all their rows",
    "soft_targets": "the model behind soft targets would need the rows",
}


@share_parameters(RUN_PARAMETERS)
class FederatedClassifier(BaseEstimator):  # type: ignore[misc]
    """Rules for tables that lie at several sites, which tell counts and no rows.

    `fit` asks sites for the kinds and ranges of their columns, agrees with them on a schema and on a grid of
    constants, and evolves rules from counts that they add up. Where sites suppress nothing and add no noise, the rules
    are the same for any division of the same rows among sites, one site with all rows included. Rules decide by the
    first one that holds.

    Parameters
    ----------
    metric : str
        What is maximised: accuracy, balanced_accuracy, f1_macro, matthews, roc_auc, average_precision or brier.
    objectives : sequence of str, optional
        Several objectives to trade off: a measure, then one or more of complexity, rules, features, feature_cost and
        rare_rules, as for `EvoterClassifier`. Novelty and measures of groups need more than counts.
    schema : Schema, optional
        The features and classes, where they are agreed beforehand: then sites need not tell ranges and categories.
        Sites that add noise ask for it.
    n_cuts : int, optional
        Constants for each numeric feature; None is 64, or fewer where sites suppress small counts and have few rows.
    min_sites : int, optional
        The run goes on without sites that do not answer, as long as so many do; None needs all.
    retry_seconds : float
        How long sites that do not answer are asked again.
    generations : int, default=60
        Maximum number of generations.

    Attributes
    ----------
    ruleset_ : RuleSet
        The rules, with their track records: the counts of all sites.
    front_ : Front
        With several objectives only: the candidates, each with its counts; the model's own is marked as chosen.
    finalists_ : Front
        With one objective and `select` only: the rule sets of the last generation that it chose from.
    classes_ : ndarray
        The classes of all sites in order.
    schema_ : Schema
        What the sites agreed on.
    cuts_ : dict of str to ndarray
        The constants that conditions could have, by feature.
    history_ : History
        Scores of every generation, on the summed counts.
    n_rows_ : int
        The number of rows of all sites, as far as they tell it.
    sites_ : tuple of str
        The names of the sites.
    n_rounds_ : int
        How often the sites were asked.
    parsimony_, stop_reason_
        What a condition had to gain, and why the run ended.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from evoter.federated import FederatedClassifier, Site
    >>> X, y = load_iris(return_X_y=True)
    >>> sites = [Site(X[k::3], y[k::3], name=f"site {k}", min_cell_count=1) for k in range(3)]
    >>> model = FederatedClassifier(generations=5, population_size=50, random_state=0).fit(sites)
    >>> model.sites_, model.score(X, y) > 0.9
    (('site 0', 'site 1', 'site 2'), True)
    """

    # What `search` asks every estimator for: evaluation is the sites' business, and one thread breeds.
    preset = "default"
    n_jobs = None
    executor = "threads"
    _base_settings = FEDERATED
    _default_forms = TABLE_FORMS
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "metric": [StrOptions(set(METRICS))],
        "objectives": [list, tuple, None],
        "select": [str, Mapping, callable, None],
        "feature_prices": [Mapping, None],
        "schema": [Schema, None],
        "n_cuts": [Interval(Integral, 1, 4_096, closed="both"), None],
        "min_sites": [Interval(Integral, 1, None, closed="left"), None],
        "retry_seconds": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        metric: str = "accuracy",
        objectives: Sequence[str] | None = None,
        select: Select = None,
        feature_prices: Mapping[str, float] | None = None,
        schema: Schema | None = None,
        n_cuts: int | None = None,
        min_sites: int | None = None,
        retry_seconds: float = 60.0,
        generations: int = GENERATIONS,
        patience: int | None = 30,
        max_seconds: float | None = None,
        target_score: float | None = None,
        population_size: int | None = None,
        max_rules: int | None = None,
        max_conditions: int | None = None,
        parsimony: float | None = None,
        forms: Forms = None,
        settings: Mapping[str, object] | None = None,
        initial_rulesets: Sequence[RuleSet] = (),
        checkpoint: str | os.PathLike[str] | None = None,
        watchers: Sequence[Watcher] = (),
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.metric = metric
        self.objectives = objectives
        self.select = select
        self.feature_prices = feature_prices
        self.schema = schema
        self.n_cuts = n_cuts
        self.min_sites = min_sites
        self.retry_seconds = retry_seconds
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
        self.initial_rulesets = initial_rulesets
        self.checkpoint = checkpoint
        self.watchers = watchers
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, sites: Sequence[Site] | Transport) -> Self:
        """Evolve rules with sites of this process, or with those that a transport reaches.

        Ctrl-C ends the search and keeps the best rules so far, as does the budget of a site that is nearly spent.
        """
        begun = time.perf_counter()
        self._validate_params()
        settings = self._settings()
        metric, others = self._objectives()
        transport = _transport(sites)
        coordinator = Coordinator(transport, min_sites=self.min_sites, retry_seconds=self.retry_seconds)
        schema = self._agree(coordinator)
        cuts = self._grid(coordinator, schema)
        secondary = make_secondary(others, schema, np.empty((0, 0)), Mode.FIRST, self.feature_prices)
        problem = FederatedProblem(coordinator, schema, cuts, metric, tuple(secondary.values()))  # type: ignore[arg-type]
        problem.tables(encode([RuleSet((), schema.actions[0], schema)], schema))
        if coordinator.is_noisy and "n_refined" not in (self.settings or {}):
            settings = settings.replace(n_refined=0)  # histograms would spend the budget of many generations
        if parsimony_is_free(self):
            settings = settings.replace(parsimony=self._price(problem, settings, coordinator.group_size))
        budget = _Budget(coordinator, settings, schema)
        result = search(self, problem, settings, seed=draw_seed(self), begun=begun, watchers=[budget])
        warn_if_interrupted(result, "rules")
        self.schema_ = schema
        self.cuts_ = dict(zip([f.name for f in schema.features if f.kind == "numeric"], cuts, strict=True))
        self.history_ = result.history
        self.stop_reason_ = "budget" if budget.is_spent and result.reason == "stopped" else result.reason
        self.parsimony_ = settings.parsimony
        self.sites_ = coordinator.sites
        self._settle(result, problem, settings)
        self.n_rounds_ = coordinator.n_rounds
        label_kind = next(iter(coordinator.summaries.values())).label_kind
        self.classes_ = class_labels(schema.actions, label_kind)
        self._classifier = RuleSetClassifier.from_ruleset(self.ruleset_, classes=self.classes_.tolist())
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row of a table, with columns as the sites have them."""
        check_is_fitted(self)
        predicted: NDArray[Any] = self._classifier.predict(X)
        return predicted

    def predict_proba(self, X: Any) -> Floats:
        """Return the frequencies of the classes among the rows of all sites that the deciding rule decided."""
        check_is_fitted(self)
        probabilities: Floats = self._classifier.predict_proba(X)
        return probabilities

    def score(self, X: Any, y: ArrayLike) -> float:
        """Return the accuracy on a table."""
        return float(np.mean(self.predict(X) == np.asarray(y)))

    def _objectives(self) -> tuple[str, tuple[str, ...]]:
        """Return the measure and the names of the other objectives, all of which counts must tell."""
        metric, others = read_objectives(self.objectives, self.metric)
        for name in others:
            if name not in OBJECTIVES:
                what = "which rows rules decide alike" if name == "novelty" else "the groups of rows"
                raise ValueError(
                    f"{name!r} needs {what}, which sites do not tell: beside a measure, the objectives of a federated "
                    f"run are {', '.join(OBJECTIVES)}"
                )
        if metric not in METRICS:
            raise ValueError(f"the first of objectives must be one of {', '.join(METRICS)}, got {metric!r}")
        return str(metric), others

    def _settings(self) -> Settings:
        chosen = current_names(self.settings or {})
        for name, reason in _WITHOUT_EFFECT.items():
            if name in chosen and chosen[name] != getattr(FEDERATED, name):
                raise ValueError(f"the setting {name} has no effect on a federated run, since {reason}: leave it out")
        settings = settings_of(self)
        if settings.n_islands > 1:
            raise ValueError(
                "sites would count the rules of every island, at the cost of their budgets: leave out n_islands"
            )
        if sum(settings.operators[:2]) > 0:
            raise ValueError(
                "the operators = and != of numbers need values of rows, which sites do not tell: leave out"
            )
        return settings

    def _agree(self, coordinator: Coordinator) -> Schema:
        schema = self.schema
        if schema is None:
            if coordinator.is_noisy:
                raise FederationError(
                    "sites that add noise tell no ranges and no categories, which noise would not protect: agree on a "
                    "schema beforehand and pass it as schema=Schema(...)"
                )
            schema = agree_on_schema(coordinator.summaries)
        coordinator.agree(schema)
        return schema

    def _grid(self, coordinator: Coordinator, schema: Schema) -> tuple[Floats, ...]:
        def suitable(n_rows: int) -> int:
            return n_cuts_for(n_rows, len(coordinator.sites), len(schema.actions), coordinator.min_cell_count)

        n_cuts = suitable if self.n_cuts is None else self.n_cuts
        # With noise each round costs a part of the budget, and fine bins are all noise.
        n_rounds = 1 if coordinator.is_noisy else N_ROUNDS
        return sketch_cuts(schema, coordinator.sketch, n_cuts=n_cuts, n_rounds=n_rounds)

    def _price(self, problem: FederatedProblem, settings: Settings, group_size: int) -> float:
        """Return what a condition must gain where nobody has chosen it.

        The fewer decisions are wrong, the less chance moves the score, and the less a condition need gain. What is
        wrong after all is estimated by rules that are too few to overfit; without exact moves, a half may be. Where
        sites count groups, these are fewer than rows and farther apart, so that what is wrong about them says nothing.
        """
        wrong = 0.5
        if Capability.REFINEMENT in problem.capabilities and settings.n_refined > 0 and group_size == 1:
            few = settings.replace(refinement_moves=min(TRIAL_MOVES, settings.refinement_moves))
            empty = RuleSet((), problem.schema.actions[0], problem.schema)
            prices = np.full(1, TRIAL_PRICE * problem.uncertainty)
            trial = problem.refined([empty], few, prices, seed=0)
            score = float(problem.evaluate(encode(list(trial), problem.schema), Threads(1)).scores[0, 0])
            wrong = min(max(1.0 - score, 1.0 / max(problem.class_totals().sum(), 1.0)), 0.5)
        return float(PRICE * problem.uncertainty * np.sqrt(group_size * wrong * (1.0 - wrong)))

    def _settle(self, result: Result, problem: FederatedProblem, settings: Settings) -> None:
        """Prune, simplify and count the winner, or all candidates of a front, all from sums of counts."""
        for name in ("front_", "finalists_"):  # of an earlier fit
            if hasattr(self, name):
                delattr(self, name)
        if result.front is not None:
            self.front_ = _counted(result.front, problem)
            self._choose(select_candidate(self.front_, self.select, settings.parsimony))
        elif result.finalists:
            done = partial(_finish, problem=problem, settings=settings)
            self.finalists_ = _counted(candidates_of(result.finalists, problem, done, 1), problem)
            self._choose(select_finalist(self.finalists_, self.select, settings.parsimony))
        else:
            (self.ruleset_,) = settle([finish(result.best, result.times_decided, problem, settings)], problem)
        self.n_rows_ = int(problem.class_totals().sum())

    def _choose(self, candidate: Candidate | int) -> None:
        needs = 'several objectives, such as objectives=["accuracy", "complexity"], or with select="best",'
        number = mark_chosen(self, candidate, needs=needs)
        front: Front = getattr(self, "front_", None) or self.finalists_
        self.ruleset_ = front[number].ruleset

    def with_ruleset(self, candidate: Candidate | SupportsIndex) -> Self:
        """Return a copy of the model with the rules of another candidate of its front, given by itself or its number.

        Nothing is asked of sites.
        """
        check_is_fitted(self)
        other = copy(self)
        other._choose(candidate if isinstance(candidate, Candidate) else index(candidate))
        other._classifier = RuleSetClassifier.from_ruleset(other.ruleset_, classes=self.classes_.tolist())
        return other


def _transport(sites: Sequence[Site] | Transport) -> Transport:
    """Return what reaches the sites; refuse tables, which are not given to a coordinator."""
    if isinstance(sites, Sequence):
        if sites and all(hasattr(site, "answer") for site in sites):
            return InProcess(list(sites))
    elif hasattr(sites, "ask") and hasattr(sites, "addresses"):
        return sites
    got = f"a {type(sites).__name__}" if not isinstance(sites, list | tuple) else f"a list of {len(sites)} others"
    raise TypeError(
        f"fit takes a list of one or more sites, Site(X, y, name=...), or a transport that reaches them, got {got}"
    )


def _finish(finalist: Finalist, problem: FederatedProblem, settings: Settings) -> RuleSet:
    return finish(finalist.ruleset, finalist.times_decided, problem, settings)


def _counted(front: Front, problem: FederatedProblem) -> Front:
    """Return a front whose candidates have the counts of all sites; what they decide on which rows, nobody knows."""
    rulesets = settle([candidate.ruleset for candidate in front], problem)
    pairs = zip(front, rulesets, strict=True)
    return replace(front, candidates=tuple(replace(each, ruleset=ruleset) for each, ruleset in pairs))


class _Budget:
    """Ends a run before the budget of a site is spent, so that enough is left to count what the winner does."""

    def __init__(self, coordinator: Coordinator, settings: Settings, schema: Schema) -> None:
        self._coordinator = coordinator
        n_contexts = settings.n_refined * settings.refinement_moves * (settings.max_conditions + 2)
        n_tables = len(schema.features) + (N_SUMS if settings.sum_rate > 0.0 else 0)
        self._needed = settings.population_size + n_contexts * n_tables + 2 * settings.max_rules + 3

    @property
    def is_spent(self) -> bool:
        """Whether what is left does not suffice for another generation and the end of the run."""
        left = self._coordinator.n_tables_left
        return left is not None and left < self._needed

    def __call__(self, evolution: Evolution, progress: float) -> bool:
        return self.is_spent
