"""How a table differs from the one of a fit: missing values, unknown categories, values out of range."""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from evoter.analysis.formatting import counted, percent
from evoter.cli.fit_records import FitRecord
from evoter.cli.output import Failure
from evoter.cli.rule_files import RuleFile
from evoter.cli.tables.rule_tables import MISSING, OUTSIDE, UNKNOWN, RuleTable

_LEAST_DIFFERENCE = 0.02
_DEVIATIONS = 3.3
"""Shares of missing values differ if the difference is at least the first, and as many standard errors as the second:
chance alone does that once in a thousand columns."""

_SHARE_OUTSIDE = 0.01
_LEAST_OUTSIDE = 3
"""A few values beyond the smallest and largest of the training rows are nothing unusual."""


@dataclass(frozen=True, slots=True)
class Drift:
    """One way in which a column is not as it was in training; the share in training is None if it is not known."""

    column: str
    what: str
    rows: int
    share: float
    training_share: float | None
    message: str

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return asdict(self)


def find_drift(rules: RuleFile, table: RuleTable) -> list[Drift]:
    """Return how the columns that rules read differ from those of the training rows.

    Ranges and categories are in the rule file. How often values were missing is in the record of the fit, which is used
    for these messages only and may be absent or damaged.
    """
    try:
        record = rules.record()
    except Failure:
        record = None
    return [*_missing(rules, table, record), *_values(table)]


def _missing(rules: RuleFile, table: RuleTable, record: FitRecord | None) -> Iterator[Drift]:
    n_rows = table.n_rows
    for name in rules.ruleset.features_used:
        feature = rules.ruleset.schema.feature(name)
        if name not in table.frame.columns or any(each.column == name and each.fatal for each in table.misfits):
            continue  # there is a message already that it cannot be read
        n_missing = table.frame[name].null_count()
        share = n_missing / n_rows
        before = _share_in_training(record, name) if feature.missing else (0.0, record.n_rows if record else n_rows)
        if before is None:
            continue
        trained, n_trained = before
        if _differ(share, n_rows, trained, n_trained) or (trained == 0.0 and n_missing):
            said = "in none" if trained == 0.0 else f"in {percent(trained)}"
            now = f"missing in {percent(share)} of the rows ({counted(n_missing, 'row')})"
            message = f"{now}, {said} when the rules were fitted"
            yield Drift(name, MISSING, n_missing, share, trained, message)


def _share_in_training(record: FitRecord | None, name: str) -> tuple[float, int] | None:
    if record is None or not record.n_rows:
        return None
    n_missing = next((each.n_missing for each in record.columns if each.name == name), None)
    return None if n_missing is None else (min(n_missing / record.n_rows, 1.0), record.n_rows)


def _differ(share: float, n_rows: int, other: float, n_others: int) -> bool:
    """Tell whether two shares differ by more than chance, and by enough to matter."""
    pooled = (share * n_rows + other * n_others) / (n_rows + n_others)
    error = math.sqrt(pooled * (1 - pooled) * (1 / n_rows + 1 / n_others))
    return abs(share - other) > max(_LEAST_DIFFERENCE, _DEVIATIONS * error)


def _values(table: RuleTable) -> Iterator[Drift]:
    for misfit in table.misfits:
        share = misfit.n_rows / table.n_rows
        few_outside = misfit.what == OUTSIDE and (misfit.n_rows < _LEAST_OUTSIDE or share < _SHARE_OUTSIDE)
        if misfit.what in (UNKNOWN, OUTSIDE) and not few_outside:
            message = f"{misfit.message} ({percent(share)} of the rows, none in training)"
            yield Drift(misfit.column, misfit.what, misfit.n_rows, share, 0.0, message)
