"""What an edit of rules changes on a table: accuracy, the rows decided otherwise, and the size."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.formatting import counted, percent
from evoter.analysis.intervals import proportion_interval
from evoter.analysis.model_inputs import match_labels
from evoter.problems import decide_frame, predict_frame, taken_actions
from evoter.rules.answers.reliability import amount_text
from evoter.rules.errors import SchemaError
from evoter.rules.model import RuleSet
from evoter.rules.modes import mode_of

_SHOWN = 3
"""The most kinds of changed decisions that a line names."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A rule set with what it decides on each row, and where that is right; both are None without rows or labels.

    Rows without a label are not among those of `right`. `error` is the mean absolute error of rules with numbers.
    """

    ruleset: RuleSet
    decided: NDArray[Any] | None = None
    right: NDArray[np.bool_] | None = None
    error: float | None = None


class EffectLine(NamedTuple):
    """One line on the effect of an edit: what it is about, and what it says."""

    about: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class EditEffect:
    """The effect of an edit: the rules before and after it, with what they decide."""

    before: Judged
    after: Judged

    @property
    def n_changed(self) -> int | None:
        """The number of rows that are decided otherwise; None without rows."""
        if self.before.decided is None or self.after.decided is None:
            return None
        return int((self.before.decided != self.after.decided).sum())

    def flows(self) -> list[tuple[str, str, int]]:
        """Return how many rows went from one decision to another, the most frequent first."""
        if self.before.decided is None or self.after.decided is None:
            return []
        rows = self.before.decided != self.after.decided
        pairs = Counter(zip(self.before.decided[rows].tolist(), self.after.decided[rows].tolist(), strict=True))
        return [(*pair, n) for pair, n in sorted(pairs.items(), key=lambda each: (-each[1], each[0]))]

    def lines(self) -> list[EffectLine]:
        """Return what the edit changes, for people to read."""
        return [*self._about_accuracy(), *self._about_decisions(), EffectLine("size", self._sizes())]

    def to_dict(self) -> dict[str, Any]:
        """Return the same as numbers, ready for JSON."""
        return {
            "accuracy": [_accuracy(each) for each in (self.before, self.after)],
            "mean_error": [each.error for each in (self.before, self.after)],
            "intervals": [_interval(each) for each in (self.before, self.after)],
            "rows": None if self.after.decided is None else len(self.after.decided),
            "labelled_rows": None if self.after.right is None else len(self.after.right),
            "decided_otherwise": self.n_changed,
            "flows": [list(flow) for flow in self.flows()],
            "rules": [len(each.ruleset.rules) for each in (self.before, self.after)],
            "conditions": [each.ruleset.n_conditions for each in (self.before, self.after)],
        }

    def _about_accuracy(self) -> Iterable[EffectLine]:
        errors = [each.error for each in (self.before, self.after)]
        if errors[0] is not None and errors[1] is not None:
            old, new = (amount_text(float(f"{error:.4g}"), self.after.ruleset.schema) for error in errors)
            yield EffectLine("mean error", f"{new}, as before" if old == new else f"{old}  ->  {new}")
            return
        before, after = self.before.right, self.after.right
        if before is None or after is None:
            return
        if np.array_equal(before, after):
            yield EffectLine("accuracy", f"{_accuracy_text(self.after)}, as before")
            return
        gained, lost = int((after & ~before).sum()), int((before & ~after).sum())
        rows = f"{counted(gained, 'row')} right that {'was' if gained == 1 else 'were'} wrong, {lost:,} the other way"
        yield EffectLine("accuracy", f"{_accuracy_text(self.before)}  ->  {_accuracy_text(self.after)}: {rows}")

    def _about_decisions(self) -> Iterable[EffectLine]:
        if self.n_changed is None or self.after.decided is None:
            return
        text = f"{self.n_changed:,} of {counted(len(self.after.decided), 'row')} decided otherwise"
        flows = self.flows()
        named = [f"{n:,} {old!r} -> {new!r}" for old, new, n in flows[:_SHOWN]]
        rest = [f"{sum(n for _, _, n in flows[_SHOWN:]):,} others"] if len(flows) > _SHOWN else []
        yield EffectLine("decisions", f"{text}: {', '.join([*named, *rest])}" if named else text)

    def _sizes(self) -> str:
        old, new = (_size(each.ruleset) for each in (self.before, self.after))
        return f"{new}, as before" if old == new else f"{old}  ->  {new}"


def judge(ruleset: RuleSet, X: Any = None, y: Sequence[Any] | None = None) -> Judged:
    """Decide on the rows of a table, whose columns are found by name, and compare with their labels.

    Labels match actions by name, and numbers are compared by how far off they are; None is the label of a row that has
    none. Rules that take several actions at once are
    not compared with labels.

    >>> from evoter.rules.parser import parse
    >>> table, labels = [{"age": 36}, {"age": 81}, {"age": 62}], ["young", "old", "young"]
    >>> before = judge(parse("age > 60 -> old; Default -> young"), table, labels)
    >>> after = judge(parse("age > 65 -> old; Default -> young"), table, labels)
    >>> for line in EditEffect(before, after).lines():
    ...     print(f"{line.about}: {line.text}")
    accuracy: 66.7% (20.8% to 93.9%)  ->  100% (43.9% to 100%): 1 row right that was wrong, 0 the other way
    decisions: 1 of 3 rows decided otherwise: 1 'old' -> 'young'
    size: 1 rule, 1 condition, as before
    """
    if X is None:
        return Judged(ruleset)
    decisions = decide_frame(ruleset, X)
    taken, actions = taken_actions(ruleset, decisions), np.array(ruleset.schema.actions, object)
    if mode_of(ruleset.mode).several_actions:
        distinct, codes = np.unique(taken, axis=0, return_inverse=True)
        names = np.array([" + ".join(actions[row]) for row in distinct], object)
        return Judged(ruleset, names[codes.ravel()])
    decided = actions[taken[:, 0]]
    if y is None:
        return Judged(ruleset, decided)
    if len(y) != len(decided):
        raise SchemaError(f"there are {len(decided)} rows and {len(y)} labels: give every row its label, or None")
    rows = [row for row, label in enumerate(y) if label is not None]
    if ruleset.schema.target is not None:
        predicted = predict_frame(ruleset, X).numbers[rows]
        error = np.abs(predicted - np.array([float(y[row]) for row in rows]))
        return Judged(ruleset, decided, error=float(np.nanmean(error)) if rows else None)
    labels, codes = match_labels([y[row] for row in rows], ruleset.schema.actions)
    return Judged(ruleset, decided, np.array(labels, object)[codes] == decided[rows])


def differ_in_marks_only(before: RuleSet, after: RuleSet) -> bool:
    """Tell whether two rule sets are the same but for names of rules and pins, which decide nothing."""
    plain = [
        each.replace(rules=[replace(rule, name="", pinned=False) for rule in each.rules]) for each in (before, after)
    ]
    return plain[0] == plain[1]


def _accuracy(judged: Judged) -> float | None:
    return None if judged.right is None or not len(judged.right) else float(judged.right.mean())


def _interval(judged: Judged) -> list[float] | None:
    if judged.right is None or not len(judged.right):
        return None
    return list(proportion_interval(int(judged.right.sum()), len(judged.right)))


def _accuracy_text(judged: Judged) -> str:
    interval = _interval(judged)
    between = "" if interval is None else f" ({percent(interval[0])} to {percent(interval[1])})"
    return f"{percent(_accuracy(judged))}{between}"


def _size(ruleset: RuleSet) -> str:
    return f"{counted(len(ruleset.rules), 'rule')}, {counted(ruleset.n_conditions, 'condition')}"
