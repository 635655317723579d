"""Tables that are read in batches, as models take them: stored for training, and answered about batch by batch."""

from collections.abc import Iterator, Sequence
from typing import Any

import narwhals as nw

from evoter.estimators.inputs import is_frame
from evoter.estimators.labels import labels_of
from evoter.evolution.progress import ReadingProgress
from evoter.rules.errors import did_you_mean
from evoter.tables.sources import open_table
from evoter.tables.stored.batches import is_lazy, open_batches
from evoter.tables.stored.cache import store_batches
from evoter.tables.stored.table import StoredTable


def open_training(X: Any, y: Any, *, progress: bool = False) -> tuple[Any, Any]:
    """Return training examples and labels that can be read.

    A table that is read in batches is stored first, and a `y` that names a column of the table becomes its labels.
    """
    if is_lazy(X):
        batches = open_batches(X)
        _check_column(y, batches.names)
        with ReadingProgress(shown=progress) as display:
            X = store_batches(batches, display)
    if not isinstance(y, str):
        return X, y
    if not isinstance(X, StoredTable) and not is_frame(X):
        raise ValueError(f"y={y!r} names a column, and the columns of X have no names: pass the labels of the rows")
    table = open_table(X)
    names = list(table.names or ())
    _check_column(y, names)
    labels = labels_of(table.load(names.index(y), y))
    if isinstance(X, StoredTable):
        return X.without(y), labels
    return nw.from_native(X, eager_only=True).drop(y).to_native(), labels


def _check_column(y: Any, names: Sequence[str]) -> None:
    if isinstance(y, str) and y not in names:
        raise ValueError(f"y={y!r} is no column of the table{did_you_mean(y, names)}")


def batches_for(model: Any, X: Any) -> Iterator[Any]:
    """Yield the columns that a model was fitted on, batch by batch."""
    batches = open_batches(X)
    names = [str(name) for name in getattr(model, "feature_names_in_", batches.names)]
    absent = [name for name in names if name not in batches.names]
    if absent:
        hint = did_you_mean(absent[0], batches.names)
        raise ValueError(f"the table has no column {absent[0]!r}, on which the model was fitted{hint}")
    for batch in batches.read(names):
        if len(batch):
            yield batch
