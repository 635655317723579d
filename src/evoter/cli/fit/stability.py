"""`--repeat`: the same search with other seeds on the same split, and what its results have in common."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from evoter.analysis.formatting import counted, percent
from evoter.rules.printing.pieces import number_text
from evoter.rules.text import print_condition

if TYPE_CHECKING:
    from evoter.analysis.rule_statistics import RuleStatistics
    from evoter.cli.fit.learning import Learnt
    from evoter.rules.model import Condition, RuleSet

_ORDERED = {"<": "<", "<=": "<", ">": ">", ">=": ">"}
_MAX_SHOWN = 8
_NEAR = 0.1
"""Thresholds are nearly the same if no gap between them is wider than this part of the range of the feature."""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The result of one seed: its rules and what they do on the rows behind the figures."""

    seed: int
    ruleset: "RuleSet"
    accuracy: float
    predictions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recurring:
    """A feature, a condition or a rule, and the number of runs that found it.

    Conditions that compare a feature with nearly the same number count as one, and the text has the range of these
    numbers.
    """

    text: str
    n_runs: int


@dataclass(frozen=True, slots=True, eq=False)
class Stability:
    """Runs with different seeds; `unseen` says that their figures are about test rows."""

    runs: tuple[Run, ...]
    unseen: bool

    @property
    def agreement(self) -> float:
        """The share of rows on which two runs decide alike, on average over all pairs."""
        pairs = combinations(self.runs, 2)
        return fmean(_share_alike([one.predictions, other.predictions]) for one, other in pairs)

    @property
    def unanimous(self) -> float:
        """The share of rows on which all runs decide alike."""
        return _share_alike([run.predictions for run in self.runs])

    def features(self) -> list[Recurring]:
        """Return the features that rules read, those of most runs first."""
        return _counted([{name: name for name in run.ruleset.features_used} for run in self.runs])

    def conditions(self) -> list[Recurring]:
        """Return the conditions, those of most runs first; numbers that differ between runs are given as a range."""
        found: list[dict[str, str]] = [{} for _ in self.runs]
        thresholds: dict[tuple[str, str], list[tuple[float, int]]] = {}
        for number, run in enumerate(self.runs):
            for condition in (each for rule in run.ruleset.rules for each in rule.conditions):
                if _is_threshold(condition):
                    assert isinstance(condition.right, float)
                    key = condition.left.feature, _ORDERED[condition.operator]
                    thresholds.setdefault(key, []).append((condition.right, number))
                else:
                    text = print_condition(condition, run.ruleset.schema)
                    found[number][text] = text
        for (feature, operator), numbers in thresholds.items():
            bounds = [run.ruleset.schema.feature(feature).bounds for run in self.runs if feature in run.ruleset.schema]
            width = max(high for _, high in bounds) - min(low for low, _ in bounds)
            for group in _near_each_other(numbers, _NEAR * width):
                text = f"{feature} {operator} {_range([threshold for threshold, _ in group])}"
                for _, number in group:
                    found[number][text] = text
        return _counted(found)

    def rules(self) -> list[Recurring]:
        """Return the rules that several runs found, word for word but for the order of their conditions."""
        found = []
        for run in self.runs:
            schema = run.ruleset.schema
            texts = {
                " AND ".join(sorted(print_condition(each, schema) for each in rule.conditions)) + f" -> {rule.action}"
                for rule in run.ruleset.rules
            }
            found.append({text: text for text in texts})
        return [each for each in _counted(found) if each.n_runs > 1]

    def to_dict(self) -> dict[str, Any]:
        """Return all figures, for the record and the report."""
        accuracies = [run.accuracy for run in self.runs]
        return {
            "runs": [
                {
                    "seed": run.seed,
                    "accuracy": run.accuracy,
                    "rules": len(run.ruleset.rules),
                    "conditions": run.ruleset.n_conditions,
                }
                for run in self.runs
            ],
            "rows": len(self.runs[0].predictions),
            "unseen": self.unseen,
            "accuracy": {
                "mean": fmean(accuracies),
                "standard_deviation": stdev(accuracies),
                "lowest": min(accuracies),
                "highest": max(accuracies),
            },
            "agreement": self.agreement,
            "unanimous": self.unanimous,
            "features": [{"text": each.text, "runs": each.n_runs} for each in self.features()],
            "conditions": [{"text": each.text, "runs": each.n_runs} for each in self.conditions()],
            "recurring_rules": [{"text": each.text, "runs": each.n_runs} for each in self.rules()],
        }


def run_of(seed: int, learnt: "Learnt") -> Run:
    """Return what counts of a run: its rules, measured on test rows if there are any."""
    statistics: RuleStatistics = learnt.unseen or learnt.seen
    assert statistics.accuracy is not None
    return Run(seed, learnt.model.ruleset_, statistics.accuracy, tuple(statistics.predictions.tolist()))


def stability_lines(described: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what a person should know about repeated runs: a word, and what there is to say about it, in lines."""
    accuracy, runs = described["accuracy"], described["runs"]
    rows = f"{described['rows']:,} {'unseen' if described['unseen'] else 'training'} rows"
    deviation = f"{100 * accuracy['standard_deviation']:.1f} points"
    spread = f"{percent(accuracy['lowest'])} to {percent(accuracy['highest'])}"
    on_average = f"{percent(accuracy['mean'])} on average"
    yield "accuracy", f"{on_average}, {spread} on the same {rows} (standard deviation {deviation})"
    pairs = f"two runs decide {percent(described['agreement'])} of these rows alike on average"
    yield "agreement", f"{pairs}, all {len(runs)} runs {percent(described['unanimous'])}"
    n_rules, n_conditions = (_range([run[key] for run in runs]) for key in ("rules", "conditions"))
    yield "size", f"{n_rules} rules with {n_conditions} conditions"
    for word, key in (("features", "features"), ("conditions", "conditions"), ("rules", "recurring_rules")):
        recurring = [each for each in described[key] if each["runs"] > 1]
        shown = [f"{each['text']} ({each['runs']} of {len(runs)})" for each in recurring[:_MAX_SHOWN]]
        if len(recurring) > _MAX_SHOWN:
            shown.append(f"and {counted(len(recurring) - _MAX_SHOWN, 'other')}")
        yield word, (", " if key == "features" else "\n").join(shown) or "none in more than one run"


def _near_each_other(numbers: Sequence[tuple[float, int]], distance: float) -> Iterator[list[tuple[float, int]]]:
    """Yield groups of numbers, each of which is near to the next one of its group."""
    group: list[tuple[float, int]] = []
    for each in sorted(numbers):
        if group and each[0] - group[-1][0] > distance:
            yield group
            group = []
        group.append(each)
    yield group


def _is_threshold(condition: "Condition") -> bool:
    is_plain = len(condition.terms) == 1 and condition.left == type(condition.left)(condition.left.feature)
    return is_plain and condition.operator in _ORDERED and isinstance(condition.right, float)


def _counted(found: Sequence[dict[str, str]]) -> list[Recurring]:
    """Count in how many runs each key occurs; its text is the same in all of them."""
    texts = {key: text for each in found for key, text in each.items()}
    counts = {key: sum(key in each for each in found) for key in texts}
    return [Recurring(texts[key], counts[key]) for key in sorted(counts, key=lambda key: (-counts[key], key))]


def _range(numbers: Sequence[float]) -> str:
    low, high = number_text(float(min(numbers))), number_text(float(max(numbers)))
    return low if low == high else f"{low} to {high}"


def _share_alike(decisions: Sequence[tuple[str, ...]]) -> float:
    return fmean(len(set(row)) == 1 for row in zip(*decisions, strict=True))
