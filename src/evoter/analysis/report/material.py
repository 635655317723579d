"""What a report is about: a rule set, what it does on some rows, and where it comes from."""

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.column_summary import fingerprint
from evoter.analysis.model_inputs import match_labels
from evoter.analysis.rule_statistics import RuleStatistics, measure
from evoter.evolution.fronts.front import Front
from evoter.problems import decide_frame, decision_probabilities
from evoter.rules.model import RuleSet
from evoter.rules.modes import mode_of
from evoter.rules.printing.pieces import TimeStep

_ALWAYS_SHOWN = ("preset", "metric", "mode", "random_state")
_NEVER_SHOWN = frozenset({"executor", "n_jobs", "verbose", "watchers", "ruleset"})
"""Parameters that the rules do not depend on, and given rules, which the report shows anyway."""


class SupportsHtml(Protocol):
    """Something that writes its part of a report itself, such as an audit of bias."""

    def to_html(self) -> str:
        """Return markup in which everything from outside is escaped."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Rows, as the rule set reads them, with their labels, what the rules do on them, and their fingerprint."""

    X: Any
    y: Any
    statistics: RuleStatistics
    fingerprint: str


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """Everything that a report shows.

    `readable` is the rule set over the schema that finds the columns of the samples, `ruleset` the one that is shown.
    `unseen` says whether the rows were left out of training, None where it is unknown. `history` maps names of columns
    to values by generation. `warnings` are sentences, and `stability` is what `evoter fit --repeat` found.
    `probabilities` are those of the actions for each row; with `weighted_classes` they are shares of training rows that
    were weighted by their class. `costs` is a matrix of labels and actions, and `protected` the values of columns by
    name, one for each row. `audit` is what `evoter.audit` found; `guardrails` say what the rules keep on every input.
    `language` and `labels` are those of the rules in plain words.
    """

    title: str
    ruleset: RuleSet
    readable: RuleSet
    sample: Sample
    unseen: bool | None = None
    train: Sample | None = None
    history: Mapping[str, Any] | None = None
    front: Front | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    data_hash: str | None = None
    date: str | None = None
    row_names: Sequence[object] | None = None
    n_examples: int = 8
    time_step: TimeStep | None = None
    warnings: Sequence[str] = ()
    stability: Mapping[str, Any] | None = None
    probabilities: NDArray[np.float64] | None = None
    weighted_classes: bool = False
    costs: NDArray[np.float64] | None = None
    protected: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    audit: SupportsHtml | None = None
    guardrails: Sequence[str] = ()
    language: str = "en"
    labels: Any = None

    @property
    def rows_called(self) -> str:
        """How the report refers to the rows that the rules are measured on."""
        return {True: "unseen rows", False: "training rows", None: "rows given"}[self.unseen]


def ruleset_of(model: Any) -> RuleSet:
    """Return a rule set itself, or that of a fitted estimator."""
    if isinstance(model, RuleSet):
        return model
    ruleset = getattr(model, "ruleset_", None)
    if not isinstance(ruleset, RuleSet):
        raise TypeError(
            f"a report is about a rule set or a fitted estimator, not about {type(model).__name__}: call fit first, or "
            f"read a rule set with evoter.load"
        )
    return ruleset


def sample_of(readable: RuleSet, X: Any, y: Any) -> Sample:
    """Return rows with what the rules do on them."""
    return Sample(X, y, measure(readable, X, y), fingerprint(X, y))


def probabilities_of(model: Any, sample: Sample, train: Sample | None) -> NDArray[np.float64] | None:
    """Return the probability of each action for each row; None where nothing is known about it.

    A fitted classifier knows them. Those of a rule set are the shares of labels among the training rows that the
    deciding rule decides, with one row more of each label, so that no share is 0 or 1. Rules that vote have none: a
    decision of theirs is not that of one rule.
    """
    statistics = sample.statistics
    if mode_of(statistics.ruleset.mode).needs_active_rules:
        return None
    if hasattr(model, "rule_probabilities_") and statistics.ruleset.records:
        return decision_probabilities(statistics.ruleset, partial(decide_frame, X=sample.X))
    if train is None or train.y is None:
        return None
    names, codes = match_labels(train.y, statistics.ruleset.schema.actions)
    counts = np.ones((len(statistics.rules), len(names)))
    np.add.at(counts, (train.statistics.decided_by, codes), 1.0)
    by_rule = counts / counts.sum(axis=1, keepdims=True)
    probabilities: NDArray[np.float64] = by_rule[statistics.decided_by]
    return probabilities


def settings_of(model: Any) -> dict[str, object]:
    """Return the parameters of an estimator that differ from their defaults, and those that always matter."""
    if not hasattr(model, "get_params"):
        return {}
    defaults = {name: each.default for name, each in inspect.signature(type(model)).parameters.items()}
    return {
        name: value
        for name, value in model.get_params(deep=False).items()
        if name not in _NEVER_SHOWN
        and (name in _ALWAYS_SHOWN or repr(value) != repr(defaults.get(name, inspect.Parameter.empty)))
    }


def setting_text(value: object) -> str:
    """Print the value of a setting, without the memory addresses of objects.

    >>> setting_text("accuracy"), setting_text(None), setting_text(0.5)
    ('accuracy', 'none', '0.5')
    """
    if value is None:
        return "none"
    return value if isinstance(value, str) else re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))
