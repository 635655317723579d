"""The split into training and test rows: stratified by class, and grouped by identifier."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from evoter.cli.output import Failure

Ints = NDArray[np.int64]

_MOST_FOLDS = 20


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Sorted indices of training and test rows; `share` is the share of test rows that was asked for."""

    train: Ints
    test: Ints
    share: float
    seed: int
    grouped: bool = False

    def to_dict(self) -> dict[str, object]:
        """Return the figures for the record."""
        return {
            "test": self.share,
            "seed": self.seed,
            "by_id": self.grouped,
            "train_rows": len(self.train),
            "test_rows": len(self.test),
            "sha256": self.sha256,
        }

    @property
    def sha256(self) -> str:
        """A checksum of the test rows, by which the split is recognised."""
        return hashlib.sha256(self.test.astype("<i8").tobytes()).hexdigest()


def split_rows(labels: Sequence[str], identifiers: Sequence[str] | None, share: float, seed: int) -> Split:
    """Hold out a share of the rows for the test; a share of 0 holds out none.

    Rows with the same identifier stay together. Classes with a single row are used for training only.
    """
    if not 0.0 <= share <= 0.9:
        raise Failure(f"--test {share:g} is out of range", "hold out 0 to 0.9 of the rows, such as --test 0.25")
    rows = np.arange(len(labels), dtype=np.int64)
    if share == 0.0:
        return Split(rows, rows[:0], share, seed)
    if identifiers is not None and len(set(identifiers)) < len(identifiers):
        return _grouped(rows, np.array(labels), np.array(identifiers), share, seed)
    counts = Counter(labels)
    alone = np.array([counts[label] == 1 for label in labels])
    several = rows[~alone]
    n_test = round(share * len(several))
    n_classes = sum(count > 1 for count in counts.values())
    if min(n_test, len(several) - n_test) < max(n_classes, 1):
        raise Failure(
            f"{len(rows)} rows are too few to hold out {share:.0%} of them",
            "--test 0 trains on all rows and tests nothing; more rows are better",
        )
    from sklearn.model_selection import train_test_split

    stratify = np.array(labels)[several]
    train, test = train_test_split(several, test_size=n_test, stratify=stratify, random_state=seed)
    return Split(np.sort(np.concatenate([train, rows[alone]])), np.sort(test), share, seed)


def _grouped(rows: Ints, labels: NDArray[np.str_], groups: NDArray[np.str_], share: float, seed: int) -> Split:
    from sklearn.model_selection import StratifiedGroupKFold

    # The number of folds, and of test folds among them, that come nearest to the share.
    part = Fraction(share).limit_denominator(min(_MOST_FOLDS, len(set(groups.tolist()))))
    if part in (0, 1):
        hint = "use another --id, or --test 0"
        raise Failure(f"there are too few different identifiers to hold out {share:.0%} of them", hint)
    folds = StratifiedGroupKFold(part.denominator, shuffle=True, random_state=seed)
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes with fewer rows than folds, which are split all the same
        tests = [fold for _, fold in islice(folds.split(rows, labels, groups), part.numerator)]
    test = np.sort(np.concatenate(tests))
    return Split(np.setdiff1d(rows, test), test, share, seed, grouped=True)
