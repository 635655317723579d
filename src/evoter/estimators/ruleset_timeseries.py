"""RuleSetTimeSeriesClassifier: a classifier of series from rules that a person has written or edited."""

import os
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, ClassVar

from evoter.estimators.classification.given_rules import GivenRules
from evoter.estimators.run_parameters import CLASSIFIER_PARAMETERS, share_parameters
from evoter.estimators.series.series_answers import SERIES_CONSTRAINTS, SeriesAnswers
from evoter.estimators.series.windows import WindowStatistics
from evoter.rules.files.sources import Rules
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.rules.stream import furthest_lag
from evoter.tables.panel import Panel, infer_panel_schema


@share_parameters(CLASSIFIER_PARAMETERS)
class RuleSetTimeSeriesClassifier(SeriesAnswers, GivenRules):
    """A classifier of series that is a given rule set: a person's, an edited one, or one from a file.

    `fit` measures what each rule does on the training series, from which probabilities follow; it never changes the
    rules. Series come as for `EvoterTimeSeriesClassifier`; the channels that rules read are found by name.

    Parameters
    ----------
    ruleset : RuleSet, str or path
        The rules: an object, text, or the path of a file.
    windows : WindowStatistics or None, default=None
        The windows whose statistics the rules read instead of single values. It is cloned and fitted.
    channels, units, id_column, time_column, step, padded
        How series are read, as for `EvoterTimeSeriesClassifier`.

    Attributes
    ----------
    ruleset_, classes_, schema_, rule_probabilities_, times_applied_, times_decided_
        As for `RuleSetClassifier`, with instances for rows.
    channel_names_, windows_, feature_importances_
        As for `EvoterTimeSeriesClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> from evoter import RuleSetTimeSeriesClassifier
    >>> X = np.random.default_rng(0).normal(size=(200, 2, 10))
    >>> y = np.where(X[:, 1, -4] > 0.5, "high", "low")
    >>> model = RuleSetTimeSeriesClassifier("x1[3] > 0.4 -> high; Default -> low").fit(X, y)
    >>> model.score(X, y)
    0.975
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "ruleset": [RuleSet, str, os.PathLike],
        **SERIES_CONSTRAINTS,
    }

    def __init__(
        self,
        ruleset: Rules,
        *,
        windows: WindowStatistics | None = None,
        channels: Sequence[str] | None = None,
        units: Mapping[str, str] | None = None,
        id_column: str | None = None,
        time_column: str | None = None,
        step: float | timedelta | None = None,
        padded: bool = True,
        class_weight: str | Mapping[Any, float] | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.windows = windows
        self.channels = channels
        self.units = units
        self.id_column = id_column
        self.time_column = time_column
        self.step = step
        self.padded = padded
        self.class_weight = class_weight

    @classmethod
    def from_ruleset(
        cls, ruleset: Rules, *, classes: Sequence[Any] | None = None, **parameters: Any
    ) -> "RuleSetTimeSeriesClassifier":
        """Return a model that predicts without having been fitted, with the parameters of the class.

        Its channels are those of `channels`, or else the features that the rules declare, in their order. It has
        probabilities if the rules bring track records. `classes` are the labels to predict; None takes the actions of
        the rules, which are text. Windows have to be fitted: use `fit` for rules that read them.
        """
        return cls(ruleset, **parameters)._become_unseen(classes)

    def _expect(self, ruleset: RuleSet) -> None:
        if self.windows is not None:
            raise ValueError("windows have to be fitted before rules can read them: call fit(X, y)")
        self.windows_ = None
        self.channel_names_ = tuple(self.channels or ruleset.schema.names)

    def _describe_given(self, examples: Panel, ruleset: RuleSet, actions: Sequence[str]) -> Schema:
        lag = furthest_lag(ruleset)
        known = infer_panel_schema(examples.recent(lag + 1), actions=actions, max_lag=lag)
        declared = ruleset.schema
        features = [declared.feature(each.name) if each.name in declared else each for each in known.features]
        return Schema(features, actions, lag)

    def _encode(self, examples: Panel) -> Panel:
        return examples
