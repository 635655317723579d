"""From single fits to the rows of a table: means over the splits, and each model compared with EVOTER."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, stdev

from comparison.catalogue import MODELS
from comparison.records import Record
from evoter.experiments.classification.evaluation import corrected_t_test
from evoter.experiments.results import REFERENCE, Point


@dataclass(frozen=True, slots=True)
class Row:
    """One model on one data set under one protocol: means over its splits, or why there are none.

    `p_value` is that of the difference in test accuracy from EVOTER on the same splits, or from the majority class
    where labels were shuffled; None where there is nothing to compare with.
    """

    data: str
    protocol: str
    model: str
    version: str
    n_splits: int
    n_test: int
    train_accuracy: float = 0.0
    test_accuracy: float = 0.0
    deviation: float = 0.0
    complexity: float = 0.0
    aic: float = 0.0
    bic: float = 0.0
    seconds: float = 0.0
    majority: float = 0.0
    prior: float = 0.0
    p_value: float | None = None
    failure: str = ""

    def as_dict(self) -> dict[str, object]:
        """Return the row as plain values."""
        return asdict(self)


def summarise(records: Iterable[Record], one_split: Iterable[str] = ()) -> list[Row]:
    """Return a row for each protocol, data set and model, in the order in which they first occur.

    Data sets in `one_split` were always split the same way: their runs differ by seed alone, and no test is made.
    """
    groups: dict[tuple[str, str, str], list[Record]] = {}
    for record in records:
        groups.setdefault((record.protocol, record.data, record.model), []).append(record)
    fixed = set(one_split)
    rows = []
    for (protocol, data, _), group in groups.items():
        reference = [] if data in fixed else groups.get((protocol, data, REFERENCE), [])
        rows.append(_row(group, _shuffled_p_value(group) if protocol == "shuffled" else _p_value(group, reference)))
    return rows


def _row(group: Sequence[Record], p_value: float | None) -> Row:
    first = group[0]
    done = [record for record in group if not record.failure]
    failure = next((record.failure for record in group if record.failure), "")
    if not done:
        return Row(
            first.data, first.protocol, first.model, first.version, 0, first.n_test, p_value=None, failure=failure
        )
    accuracies = [record.test_accuracy for record in done]
    return Row(
        data=first.data,
        protocol=first.protocol,
        model=first.model,
        version=first.version,
        n_splits=len(done),
        n_test=first.n_test,
        train_accuracy=fmean(record.train_accuracy for record in done),
        test_accuracy=fmean(accuracies),
        deviation=stdev(accuracies) if len(accuracies) > 1 else 0.0,
        complexity=fmean(record.complexity for record in done),
        aic=fmean(record.aic for record in done),
        bic=fmean(record.bic for record in done),
        seconds=fmean(record.seconds for record in done),
        majority=fmean(record.majority for record in done),
        prior=fmean(record.prior for record in done),
        p_value=p_value,
        failure=failure,
    )


def _p_value(group: Sequence[Record], reference: Sequence[Record]) -> float | None:
    """Compare with EVOTER on the splits that both were fitted on."""
    if group[0].model == REFERENCE:
        return None
    theirs = {record.split: record for record in group if not record.failure}
    ours = {record.split: record for record in reference if not record.failure}
    differences = [theirs[seed].test_accuracy - ours[seed].test_accuracy for seed in sorted(theirs.keys() & ours)]
    return corrected_t_test(differences, group[0].n_train, group[0].n_test)


def _shuffled_p_value(group: Sequence[Record]) -> float | None:
    """Compare with always naming the commonest class of the training rows."""
    differences = [record.test_accuracy - record.majority for record in group if not record.failure]
    return corrected_t_test(differences, group[0].n_train, group[0].n_test)


def dominating(rows: Iterable[Row]) -> list[Row]:
    """Return the transparent models that are no worse than EVOTER in both accuracy and size, and better in one."""
    rows = [row for row in rows if row.n_splits]
    ours = {(row.protocol, row.data): _point(row) for row in rows if row.model == REFERENCE}
    return [
        row
        for row in rows
        if MODELS[row.model].transparent
        and (reference := ours.get((row.protocol, row.data))) is not None
        and _point(row).dominates(reference)
    ]


def _point(row: Row) -> Point:
    return Point(row.complexity, row.test_accuracy)
