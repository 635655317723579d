"""How much of a report's rules is chance: what runs with other seeds have in common with them."""

from collections.abc import Sequence
from typing import NamedTuple

from evoter.analysis.formatting import percent
from evoter.analysis.report.material import Material

MAX_LISTED = 12
"""Further features, conditions and rules that recur are counted, not listed."""


class RecurringRow(NamedTuple):
    """A feature, a condition or a rule, and the number and share of the runs that found it."""

    text: str
    n_runs: int
    share: float


class StabilitySection(NamedTuple):
    """Runs with different seeds on the same split: their figures, and what recurs in them."""

    n_runs: int
    rows_called: str
    n_rows: int
    mean: str
    lowest: str
    highest: str
    deviation: str
    agreement: str
    unanimous: str
    runs: list[tuple[str, str, str, str]]
    recurring: list[tuple[str, list[RecurringRow], int]]


def stability_section(material: Material) -> StabilitySection | None:
    """Return what `evoter fit --repeat` found; None if the fit was not repeated."""
    found = material.stability
    if found is None:
        return None
    accuracy, runs = found["accuracy"], found["runs"]

    def rows(key: str) -> tuple[list[RecurringRow], int]:
        listed: Sequence[dict[str, int]] = [each for each in found[key] if each["runs"] > 1]
        shown = [
            RecurringRow(str(each["text"]), each["runs"], each["runs"] / len(runs)) for each in listed[:MAX_LISTED]
        ]
        return shown, len(listed) - len(shown)

    return StabilitySection(
        n_runs=len(runs),
        rows_called="unseen rows" if found["unseen"] else "training rows",
        n_rows=found["rows"],
        mean=percent(accuracy["mean"]),
        lowest=percent(accuracy["lowest"]),
        highest=percent(accuracy["highest"]),
        deviation=f"{100 * accuracy['standard_deviation']:.1f}",
        agreement=percent(found["agreement"]),
        unanimous=percent(found["unanimous"]),
        runs=[(f"{run['seed']}", percent(run["accuracy"]), f"{run['rules']}", f"{run['conditions']}") for run in runs],
        recurring=[
            (title, *rows(key))
            for title, key in (
                ("Features that rules of several runs read", "features"),
                ("Conditions of several runs", "conditions"),
                ("Rules of several runs, word for word", "recurring_rules"),
            )
        ],
    )
