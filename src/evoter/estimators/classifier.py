"""EvoterClassifier: readable classification rules from tables, behind scikit-learn's interface."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import check_is_fitted

from evoter.estimators.classification.evolved import EvolvedClassifier
from evoter.estimators.classification.scoring import Metric
from evoter.estimators.inputs import encode_used, named_row, read_table, rows_used
from evoter.estimators.objectives import DEFAULT_METRIC, Select
from evoter.estimators.search import RandomState
from evoter.evolution.engine import Watcher
from evoter.kernels.layout import Floats
from evoter.problems.deciding import TableDecisions, decide_columns
from evoter.rules.explain import Explanation, explain
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.tables import encode, infer_schema


class EvoterClassifier(EvolvedClassifier):
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
    objectives : sequence of str or None, default=None
        Several objectives to trade off: a measure by the names of `metric` ("metric" for what `metric` is), then one
        or more of "complexity" (conditions), "rules", "features", "feature_cost", "rare_rules" (the share of rules that
        decide fewer than five rows) and "novelty" (deciding otherwise than the others). The result is a front, and
        `parsimony` has a part in refinement and `select` only.
    select : str, mapping, callable or None, default=None
        Which candidate of the front the model becomes: a way of `Front.select` such as "knee", its arguments by name
        such as {"at_most": {"conditions": 8}}, or a function of the front. None is the best at the price of `parsimony`
        per condition if "complexity" is an objective, else the best by the measure.
    constraints : mapping or None, default=None
        The most there may be of "complexity", "rules", "features", "feature_cost" and "rare_rules", such as
        {"complexity": 8}. Rule sets that keep all constraints beat those that do not, whatever their scores.
    feature_prices : mapping or None, default=None
        What "feature_cost" adds up, by the names of features; others are free.
    generations : int, default=100
        The most generations.
    patience : int or None, default=20
        Stop after so many generations without improvement.
    max_seconds : float or None, default=None
        Stop after so many seconds. A run that ends by time is not repeatable.
    target_score : float or None, default=None
        Stop when the training score, or with several objectives the hypervolume, is this good.
    population_size, max_rules, max_conditions : int or None
        Settings by their names, None for the preset's value; see `evoter.evolution.settings.Settings`.
    parsimony : float or None, default=None
        The score that a condition must bring; None is 0.06 of what chance may move the score by, for accuracy one over
        the root of the number of different rows, but at least 0.0005 of what is at stake (0 for the preset "paper").
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
        The rules as evolution left them; with several objectives those of the best by the measure.
    front_ : Front
        With several objectives only: the candidates with the scores that evolution gave them, pruned and simplified;
        the model's own is marked as chosen.
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
        **EvolvedClassifier._parameter_constraints,
        "categorical": [StrOptions({"auto"}), "array-like"],
    }

    def __init__(
        self,
        *,
        preset: str = "default",
        metric: Metric = DEFAULT_METRIC,
        objectives: Sequence[str] | None = None,
        select: Select = None,
        constraints: Mapping[str, float] | None = None,
        feature_prices: Mapping[str, float] | None = None,
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
        super().__init__(
            preset=preset,
            metric=metric,
            objectives=objectives,
            select=select,
            constraints=constraints,
            feature_prices=feature_prices,
            generations=generations,
            patience=patience,
            max_seconds=max_seconds,
            target_score=target_score,
            population_size=population_size,
            max_rules=max_rules,
            max_conditions=max_conditions,
            parsimony=parsimony,
            settings=settings,
            mode=mode,
            class_weight=class_weight,
            initial_rulesets=initial_rulesets,
            checkpoint=checkpoint,
            watchers=watchers,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )
        self.categorical = categorical

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

    def _read(self, X: Any, *, reset: bool) -> Any:
        return read_table(self, X, reset=reset)

    def _describe(self, examples: Any, actions: Iterable[str]) -> tuple[Schema, Floats]:
        schema = infer_schema(examples, actions=actions, categorical=self.categorical, scaled=True)
        return schema, encode(examples, schema)

    def _decide(self, X: Any) -> TableDecisions:
        check_is_fitted(self)
        table = self._read(X, reset=False)
        return decide_columns(self.ruleset_, encode_used(table, self.schema_, self.ruleset_.schema))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags
