"""EvoterClassifier: readable classification rules from tables, behind scikit-learn's interface."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evoter.estimators.classification.evolved import EvolvedClassifier
from evoter.estimators.classification.lazy_tables import open_training
from evoter.estimators.classification.scoring import Metric
from evoter.estimators.classification.table_answers import TableAnswers
from evoter.estimators.forms import Forms
from evoter.estimators.guardrails import Forbiddens
from evoter.estimators.objectives import Select
from evoter.estimators.ruleset_classifier import RuleSetClassifier
from evoter.estimators.run_parameters import (
    CLASSIFIER_PARAMETERS,
    GUARDRAIL_PARAMETERS,
    METRIC,
    RUN_PARAMETERS,
    share_parameters,
)
from evoter.estimators.search import RandomState, settings_of
from evoter.evolution.engine import Watcher
from evoter.evolution.stopping import GENERATIONS, PATIENCE
from evoter.execution.starting import Startable
from evoter.kernels.layout import Floats
from evoter.rules.files.sources import Rules
from evoter.rules.guardrails.reading import Monotones, Pinned
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.tables import encode, infer_schema
from evoter.tables.stored.table import StoredTable


@share_parameters(CLASSIFIER_PARAMETERS, GUARDRAIL_PARAMETERS, RUN_PARAMETERS)
class EvoterClassifier(TableAnswers, EvolvedClassifier):
    """A classifier that is a short list of IF-THEN rules, found by evolution.

    Reads numbers, categories, booleans and missing values as they are, from arrays and data frames, and in batches
    from the path of a Parquet file or folder, an Arrow dataset or a lazy frame of polars. The column of classes may be
    given by its name as `y`.

    Attributes
    ----------
    ruleset_ : RuleSet
        The rules, pruned and simplified, over the features they read.
    evolved_ruleset_ : RuleSet
        The rules as evolution left them; with several objectives those of the best by the measure.
    front_ : Front
        With several objectives only: the candidates with the scores that evolution gave them, pruned and simplified;
        the model's own is marked as chosen.
    finalists_ : Front
        With one objective and `select` only: the rule sets of the last generation that it chose from, those nearly as
        good as the best, which is the first; the model's own is marked as chosen.
    schema_ : Schema
        All features of the training table.
    classes_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    history_ : History
        Best and mean score, size, evaluations and seconds for every generation; with several objectives also the
        hypervolume and the size of the front.
    rule_probabilities_ : ndarray of shape (n_rules + 1, n_classes)
        Smoothed class frequencies of the training rows that each rule, and the default, decided.
    times_applied_, times_decided_ : ndarray of shape (n_rules + 1,)
        Training rows on which each rule held, and which it decided; the default last.
    feature_importances_ : ndarray of shape (n_features,)
        The share of the decisions on the training rows that change if the feature is unknown, in the order of the
        columns; 0 for features that no rule reads. Rows count by their weights. The shares need not add up to 1.
    group_values_ : dict
        With constraints or objectives on groups or recall only: their values on the training rows, by name.
    n_right_, n_rows_ : int
        The number of training rows whose class the rules decide, and of all training rows.
    row_samples_ : RowSamples
        How many training rows there are, on how many of them rules were evaluated in the search (all, or a sample of a
        large table), and on how many exact moves; printed, a sentence. All other figures are about all training rows.
    parsimony_ : float
        The score that a condition had to bring.
    guardrails_ : Guardrails
        What the rules keep on every input; `guardrails_.sentences()` says it in words.
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

    def __init__(
        self,
        *,
        preset: str = "default",
        metric: Metric = METRIC,
        objectives: Sequence[str] | None = None,
        select: Select = None,
        constraints: Mapping[str, float] | None = None,
        feature_prices: Mapping[str, float] | None = None,
        pinned: Pinned = (),
        forbidden_features: Sequence[str | int] = (),
        forbidden: Forbiddens = (),
        monotone: Monotones | None = None,
        monotone_order: Sequence[Any] | None = None,
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
        mode: str = "first",
        class_weight: str | Mapping[Any, float] | None = None,
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
        super().__init__(
            preset=preset,
            metric=metric,
            objectives=objectives,
            select=select,
            constraints=constraints,
            feature_prices=feature_prices,
            pinned=pinned,
            forbidden_features=forbidden_features,
            forbidden=forbidden,
            monotone=monotone,
            monotone_order=monotone_order,
            generations=generations,
            patience=patience,
            max_seconds=max_seconds,
            target_score=target_score,
            population_size=population_size,
            n_islands=n_islands,
            max_rules=max_rules,
            max_conditions=max_conditions,
            parsimony=parsimony,
            forms=forms,
            settings=settings,
            mode=mode,
            class_weight=class_weight,
            initial_rulesets=initial_rulesets,
            checkpoint=checkpoint,
            watchers=watchers,
            n_jobs=n_jobs,
            executor=executor,
            random_state=random_state,
            verbose=verbose,
        )
        self.categorical = categorical
        self.units = units

    @classmethod
    def from_ruleset(cls, ruleset: Rules, *, classes: Sequence[Any] | None = None) -> RuleSetClassifier:
        """Return a classifier that is a given rule set, which predicts without having been fitted.

        Its `fit` measures the rules and never changes them; see `RuleSetClassifier.from_ruleset`.
        """
        return RuleSetClassifier.from_ruleset(ruleset, classes=classes)

    def _open(self, X: Any, y: Any) -> tuple[Any, Any]:
        return open_training(X, y, progress=bool(self.verbose))

    def _describe(self, examples: Any, actions: Iterable[str]) -> tuple[Schema, Floats | StoredTable]:
        compares = settings_of(self).comparison_rate > 0.0
        schema = infer_schema(
            examples, actions=actions, categorical=self.categorical, units=self.units, scaled=compares
        )
        return schema, examples if isinstance(examples, StoredTable) else encode(examples, schema)
