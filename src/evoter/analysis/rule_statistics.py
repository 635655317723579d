"""What each rule does on a table: on how many rows it holds, how many it decides, and how often it is right."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.intervals import proportion_interval
from evoter.analysis.model_inputs import match_labels
from evoter.problems import decide_frame, deciding_rules
from evoter.rules.errors import SchemaError
from evoter.rules.model import RuleSet
from evoter.rules.modes import mode_of
from evoter.rules.printing.pieces import ASCII, joined, render
from evoter.rules.printing.rule_pieces import default_pieces
from evoter.rules.text import print_rule

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RuleStatistic:
    """One rule, or the default, on some rows; `number` is the number it is printed with.

    `held` counts the rows on which all conditions hold, for the default those on which no rule does; `decided` those
    on which it brought about the decision; `correct` those of them that have the rule's action as their label, None
    without labels; `labelled` all rows with this label.
    """

    number: int
    text: str
    action: str
    n_rows: int
    held: int
    decided: int
    correct: int | None = None
    labelled: int | None = None

    @property
    def coverage(self) -> float:
        """The share of the rows that the rule decides."""
        return self.decided / self.n_rows

    @property
    def support(self) -> float:
        """The share of the rows on which the rule holds."""
        return self.held / self.n_rows

    @property
    def precision(self) -> float | None:
        """How often the rule is right where it decides; None if it never decides, or without labels."""
        return None if self.correct is None or self.decided == 0 else self.correct / self.decided

    @property
    def base_rate(self) -> float | None:
        """The share of all rows whose label is the rule's action."""
        return None if self.labelled is None else self.labelled / self.n_rows

    @property
    def lift(self) -> float | None:
        """How many times more often the rule is right than a guess of its action would be; None where it is unknown."""
        return None if self.precision is None or not self.base_rate else self.precision / self.base_rate

    def to_dict(self) -> dict[str, Any]:
        """Return counts and shares by name, ready for JSON."""
        counts = {name: getattr(self, name) for name in ("number", "text", "action", "held", "decided", "correct")}
        return counts | {name: getattr(self, name) for name in ("coverage", "support", "precision", "lift")}


MAX_MATRIX = 100
"""The most labels for which JSON has the whole confusion matrix."""


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """How many rows of each label (rows of the matrix) got each decision (columns); both are in the order of `labels`.

    The labels are the rule set's actions, followed by those labels of the rows that are not actions.
    """

    labels: tuple[str, ...]
    matrix: Ints

    def to_dict(self) -> dict[str, Any]:
        """Return the labels and the matrix, ready for JSON; beyond `MAX_MATRIX` labels, its cells [row, column, count].

        Of so many pairs of labels hardly any occur, and only these are listed.
        """
        if len(self.labels) <= MAX_MATRIX:
            return {"labels": list(self.labels), "matrix": self.matrix.tolist()}
        rows, columns = np.nonzero(self.matrix)
        cells = np.column_stack([rows, columns, self.matrix[rows, columns]])
        return {"labels": list(self.labels), "cells": cells.tolist()}

    @property
    def n_right(self) -> int:
        """The number of rows that got their own label."""
        return int(np.trace(self.matrix))

    @property
    def accuracy(self) -> float:
        """The share of the rows that got their own label."""
        return self.n_right / int(self.matrix.sum())

    @property
    def balanced_accuracy(self) -> float:
        """The share of the rows of a label that are found, on average over the labels that occur."""
        totals = self.matrix.sum(axis=1)
        return float((self.matrix.diagonal()[totals > 0] / totals[totals > 0]).mean())

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the accuracy."""
        return proportion_interval(self.n_right, int(self.matrix.sum()))

    @property
    def most_frequent(self) -> str:
        """The label that most rows have; of several, the first."""
        return self.labels[int(self.matrix.sum(axis=1).argmax())]

    @property
    def baseline(self) -> float:
        """The accuracy of always answering with the most frequent label."""
        return int(self.matrix.sum(axis=1).max()) / int(self.matrix.sum())


@dataclass(frozen=True, slots=True, eq=False)
class RuleStatistics:
    """What the rules of a rule set, and last its default, do on the rows of a table or the instances of a panel.

    `predictions` are the actions taken; `decided_by` the rule that decided each row, from 0, and the number of rules
    for the default; in mode vote the first of those that voted for the winner. `confusion` is None without labels.
    """

    ruleset: RuleSet
    rules: tuple[RuleStatistic, ...]
    predictions: NDArray[Any]
    decided_by: Ints
    confusion: Confusion | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.predictions)

    @property
    def accuracy(self) -> float | None:
        """The share of right decisions; None without labels."""
        return None if self.confusion is None else self.confusion.accuracy

    @property
    def baseline(self) -> float | None:
        """The accuracy of always answering with the most frequent label; None without labels."""
        return None if self.confusion is None else self.confusion.baseline

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the single rows, ready for JSON."""
        return {
            "n_rows": self.n_rows,
            "accuracy": self.accuracy,
            "interval": None if self.confusion is None else list(self.confusion.interval),
            "baseline": self.baseline,
            "rules": [rule.to_dict() for rule in self.rules],
            "confusion": None if self.confusion is None else self.confusion.to_dict(),
        }

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from evoter.analysis.rule_statistics_terminal import colour_statistics

        yield colour_statistics(self, options.max_width)


def measure(ruleset: RuleSet, X: Any, y: Any = None) -> RuleStatistics:
    """Measure the rules on the rows of a frame or array, or on the instances of a panel, with labels or without.

    Columns are found by name, and only those that the rules read need be there. Labels match actions by name, whatever
    their type: 1, 1.0 and "1" are the action "1".

    >>> from evoter.rules.parser import parse
    >>> rules = parse("age > 60 -> old; age > 70 -> old; Default -> young")
    >>> statistics = measure(
    ...     rules, [{"age": 36}, {"age": 81}, {"age": 65}, {"age": 20}], ["young", "old", "young", "young"]
    ... )
    >>> [(rule.held, rule.decided, rule.correct) for rule in statistics.rules]
    [(2, 2, 1), (1, 0, 0), (2, 2, 2)]
    >>> statistics.accuracy, statistics.rules[0].precision, statistics.rules[0].lift
    (0.75, 0.5, 2.0)

    Raises
    ------
    SchemaError
        If a column that the rules read is missing or holds what they cannot read, if a label is missing, or if the
        rules decide by mode all, in which rows have no single decision.
    """
    if y is None:
        return measure_parts(ruleset, [(X, None)], ruleset.schema.actions)
    n_rows, (labels, codes) = len(y), match_labels(y, ruleset.schema.actions)
    statistics = measure_parts(ruleset, [(X, codes)], labels)
    if n_rows != statistics.n_rows:
        raise SchemaError(f"there are {statistics.n_rows} rows and {n_rows} labels: give every row its label")
    return statistics


def measure_parts(
    ruleset: RuleSet, parts: Iterable[tuple[Any, Ints | None]], labels: tuple[str, ...]
) -> RuleStatistics:
    """Measure the rules on a table that is given part by part, so that it need not be in memory as a whole.

    Each part has the positions of its labels among `labels`, which begin with the actions of the rules, or None.
    """
    if mode_of(ruleset.mode).several_actions:
        raise SchemaError(
            f"rules that decide by mode {ruleset.mode} take several actions at once, which no single label can match"
        )
    actions, rule_actions, texts = ruleset.schema.actions, _actions(ruleset), _texts(ruleset)
    own = np.array([actions.index(action) for action in rule_actions])
    held, decided, correct = np.zeros((3, len(own)), np.int64)
    matrix: Ints | None = np.zeros((len(labels), len(labels)), np.int64)
    predicted, deciders = [], []
    for X, codes in parts:
        decisions = decide_frame(ruleset, X)
        holds, decides = who_decides(ruleset, decisions.active, decisions.deciders)
        held, decided = held + holds.sum(axis=0), decided + decides.sum(axis=0)
        predicted.append(decisions.actions)
        deciders.append(decisions.deciders)
        if codes is None:
            matrix = None
        elif matrix is not None and len(codes) == len(decisions.actions):
            correct = correct + (decides & (codes[:, None] == own)).sum(axis=0)
            cells = np.bincount(codes * len(labels) + decisions.actions, minlength=matrix.size)
            matrix = matrix + cells.reshape(matrix.shape)
    predictions = np.array(actions, dtype=object)[np.concatenate(predicted)]
    labelled = None if matrix is None else matrix.sum(axis=1)
    rules = tuple(
        RuleStatistic(
            number=index + 1,
            text=text,
            action=action,
            n_rows=len(predictions),
            held=int(held[index]),
            decided=int(decided[index]),
            correct=None if labelled is None else int(correct[index]),
            labelled=None if labelled is None else int(labelled[own[index]]),
        )
        for index, (text, action) in enumerate(zip(texts, rule_actions, strict=True))
    )
    confusion = None if matrix is None else Confusion(labels, matrix)
    return RuleStatistics(ruleset, rules, predictions, np.concatenate(deciders), confusion)


def who_decides(
    ruleset: RuleSet, active: NDArray[np.bool_], decided_by: Ints
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which rules, and last the default, hold on each row, and which bring about its decision [row, rule].

    The default holds where no rule does. In a vote, all rules that hold decide whose action wins.
    """
    held = np.column_stack([active, ~active.any(axis=1)])
    return held, deciding_rules(ruleset, active, decided_by)


def _actions(ruleset: RuleSet) -> list[str]:
    return [*(rule.action for rule in ruleset.rules), ruleset.default]


def _texts(ruleset: RuleSet) -> list[str]:
    default = joined(render(default_pieces(ruleset), ASCII))
    return [*(print_rule(rule, ruleset.schema) for rule in ruleset.rules), default]
