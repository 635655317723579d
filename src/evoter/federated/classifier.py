"""FederatedClassifier: rules evolved on rows that stay where they are."""

import os
import time
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from evoter.estimators.forms import TABLE_FORMS, Forms
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
from evoter.evolution.engine import Evolution, Result, Watcher
from evoter.evolution.settings import Settings, current_names
from evoter.federated.coordinator import Coordinator
from evoter.federated.errors import FederationError
from evoter.federated.exact_moves import settle_actions
from evoter.federated.grids import N_ROUNDS, n_cuts_for, sketch_cuts
from evoter.federated.problem import METRICS, FederatedProblem
from evoter.federated.site import Site
from evoter.federated.summaries import agree_on_schema, class_labels
from evoter.federated.transport import InProcess, Transport
from evoter.genome.codec import encode
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.frequencies import smooth
from evoter.rules.answers.rule_counts import count_rules
from evoter.rules.answers.track_record import TrackRecord
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.rules.simplify import simplify

GENERATIONS = 60
"""Maximum number of generations by default: each costs a round of messages."""

PRICE = 0.2
"""What a condition must gain by default, in units of the uncertainty of the score: there are no held-out decisions."""

FEDERATED = Settings(
    population_size=200, n_refined=6, refinement_interval=5, refinement_moves=40, n_elites=10, soft_targets=0.0
)
"""The settings that a federated run starts from: fewer and larger rounds than on one machine."""

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
    >>> sites = [Site(X[k::3], y[k::3], name=f"site {k}") for k in range(3)]
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
        "schema": [Schema, None],
        "n_cuts": [Interval(Integral, 1, 4_096, closed="both"), None],
        "min_sites": [Interval(Integral, 1, None, closed="left"), None],
        "retry_seconds": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        metric: str = "accuracy",
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
        transport = InProcess(list(sites)) if isinstance(sites, Sequence) else sites
        coordinator = Coordinator(transport, min_sites=self.min_sites, retry_seconds=self.retry_seconds)
        schema = self._agree(coordinator)
        cuts = self._grid(coordinator, schema)
        problem = FederatedProblem(coordinator, schema, cuts, self.metric)
        problem.tables(encode([RuleSet((), schema.actions[0], schema)], schema))
        if coordinator.is_noisy and "n_refined" not in (self.settings or {}):
            settings = settings.replace(n_refined=0)  # histograms would spend the budget of many generations
        if parsimony_is_free(self):
            settings = settings.replace(parsimony=PRICE * problem.uncertainty)
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

    def _settings(self) -> Settings:
        chosen = current_names(self.settings or {})
        for name, reason in _WITHOUT_EFFECT.items():
            if name in chosen and chosen[name] != getattr(FEDERATED, name):
                raise ValueError(f"the setting {name} has no effect on a federated run, since {reason}: leave it out")
        settings = settings_of(self)
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
        n_cuts = self.n_cuts
        if n_cuts is None:
            # All rows are between the edges of any feature: the first sketch tells how many there are.
            n_rows = max((int(part.sum()) for part in coordinator.sketch(_no_edges(schema))), default=0)
            n_cuts = n_cuts_for(n_rows, len(coordinator.sites), len(schema.actions), coordinator.min_cell_count)
        # With noise each round costs a part of the budget, and fine bins are all noise.
        n_rounds = 1 if coordinator.is_noisy else N_ROUNDS
        return sketch_cuts(schema, coordinator.sketch, n_cuts=n_cuts, n_rounds=n_rounds)

    def _settle(self, result: Result, problem: FederatedProblem, settings: Settings) -> None:
        """Prune, simplify and count the winner, all from sums of counts."""
        schema = problem.schema
        ruleset = problem.final_form(result.best, result.times_decided)
        table = self._table(ruleset, problem)
        if (settings.majority_actions and self.metric == "accuracy") or problem.ignores_actions:
            changed = settle_actions(ruleset, table, np.eye(len(schema.actions), dtype=np.int64))
            changed = changed if problem.ignores_actions else simplify(changed)
            table = table if changed == ruleset else self._table(changed, problem)
            ruleset = changed
        alone = [RuleSet((rule,), ruleset.default, schema) for rule in ruleset.rules]
        tables = problem.tables(encode([ruleset, *alone], schema))
        applied = [int(each[0].sum()) for each in tables[1:]] + [int(table[-1].sum())]
        totals = problem.class_totals()
        self.n_rows_ = int(totals.sum())
        shares = smooth(table.astype(np.float64), totals, max(self.n_rows_, 1))
        records = [TrackRecord(tuple(row), tuple(p)) for row, p in zip(table.tolist(), shares.tolist(), strict=True)]
        counts = count_rules("training rows", self.n_rows_, applied, table.sum(axis=1))
        self.ruleset_ = ruleset.restricted().replace(records=records, counts=counts)

    @staticmethod
    def _table(ruleset: RuleSet, problem: FederatedProblem) -> Ints:
        return problem.tables(encode([ruleset], problem.schema), forget=False)[0]


class _Budget:
    """Ends a run before the budget of a site is spent, so that enough is left to count what the winner does."""

    def __init__(self, coordinator: Coordinator, settings: Settings, schema: Schema) -> None:
        self._coordinator = coordinator
        n_contexts = settings.n_refined * settings.refinement_moves * (settings.max_conditions + 2)
        self._needed = settings.population_size + n_contexts * len(schema.features) + 2 * settings.max_rules + 3

    @property
    def is_spent(self) -> bool:
        """Whether what is left does not suffice for another generation and the end of the run."""
        left = self._coordinator.n_tables_left
        return left is not None and left < self._needed

    def __call__(self, evolution: Evolution, progress: float) -> bool:
        return self.is_spent


def _no_edges(schema: Schema) -> tuple[Floats, ...]:
    return tuple(np.empty(0) for feature in schema.features if feature.kind == "numeric")
