"""Black boxes: models, functions and ensembles of which only the answers are known, and what these say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_regressor
from sklearn.utils.validation import column_or_1d

from evoter.estimators.labels import read_labels, read_probabilities
from evoter.kernels.layout import Floats, Ints

MAX_CLASSES: Final = 100
"""A function with more different answers than this is no classifier."""


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What a black box says about some rows: the probability of each class, 0 or 1 where it names classes alone."""

    classes: NDArray[Any]
    probabilities: Floats

    @property
    def codes(self) -> Ints:
        """The most probable class of each row, by its position."""
        codes: Ints = np.argmax(self.probabilities, axis=1)
        return codes

    @property
    def labels(self) -> NDArray[Any]:
        """The most probable class of each row."""
        return self.classes[self.codes]

    def __getitem__(self, rows: slice | Ints | NDArray[np.bool_]) -> "Answers":
        return Answers(self.classes, self.probabilities[rows])


@dataclass(frozen=True, slots=True, eq=False)
class NumberAnswers:
    """The numbers that a black box predicts for some rows."""

    values: Floats

    @property
    def codes(self) -> Ints:
        """The quarter of all numbers that each belongs to, by which rows are divided alike."""
        quarters = np.quantile(self.values, (0.25, 0.5, 0.75))
        codes: Ints = np.searchsorted(quarters, self.values)
        return codes

    @property
    def labels(self) -> Floats:
        """The numbers."""
        return self.values

    def __getitem__(self, rows: slice | Ints | NDArray[np.bool_]) -> "NumberAnswers":
        return NumberAnswers(self.values[rows])


Said = Answers | NumberAnswers
"""What a black box says: classes with their probabilities, or numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class BlackBox:
    """A model that can be asked about rows; `name` is what it is called, `soft` says that it gives probabilities.

    `ask` returns labels, probabilities with a column for each of `classes`, or numbers. A regressor always answers with
    numbers, even if they are whole.
    """

    name: str
    ask: Callable[[Any], NDArray[Any]]
    soft: bool
    classes: NDArray[Any] | None = None
    is_regressor: bool = False

    def answers(self, *tables: Any) -> list[Any]:
        """Ask about the rows of some tables; return `Answers`, all about the same classes, or `NumberAnswers`."""
        said = [self.ask(table) for table in tables]
        for table, answered in zip(tables, said, strict=True):
            if len(answered) != len(table):
                raise ValueError(f"{self.name} gives {len(answered):,} answers for {len(table):,} rows")
        joined = np.concatenate(said)
        whole = read_numbers(joined, self.name) if self.is_regressor else read_answers(joined, self.classes, self.name)
        ends = np.cumsum([len(each) for each in said])
        return [whole[end - len(each) : end] for each, end in zip(said, ends.tolist(), strict=True)]


def read_numbers(said: NDArray[Any], name: str) -> NumberAnswers:
    """Read predictions of one number for each row."""
    values = np.asarray(said, np.float64)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError(f"{name} must predict one finite number for each row, got the shape {values.shape}")
    return NumberAnswers(values)


def read_answers(said: NDArray[Any], classes: NDArray[Any] | None, name: str) -> Said:
    """Read labels, probabilities with a column for each of `classes`, or numbers, which have digits after the point."""
    if said.ndim == 2 and said.shape[1] > 1:
        return Answers(*read_probabilities(said, classes))
    labels = column_or_1d(said)
    if labels.dtype.kind == "f" and classes is not None and len(classes) == 2 and not np.isin(labels, classes).all():
        return Answers(*read_probabilities(np.column_stack([1.0 - labels, labels]), classes))
    if classes is None and _are_numbers(labels, name):
        return read_numbers(labels, name)
    found, codes = read_labels(labels)
    if len(found) > MAX_CLASSES:
        raise ValueError(f"{name} gives {len(found):,} different answers, which are no classes")
    if classes is None:
        return Answers(found, np.eye(len(found))[codes])
    known = np.unique(classes)
    if not np.isin(found, known).all():
        unknown = next(label for label in found.tolist() if label not in known.tolist())
        raise ValueError(f"{name} answers {unknown!r}, which is none of classes={known.tolist()}")
    return Answers(known, np.eye(len(known))[np.searchsorted(known, found)[codes]])


def read_black_box(model: Any, classes: ArrayLike | None = None) -> BlackBox:
    """Read a fitted model, a function of a table, or a sequence of them, whose probabilities or numbers are averaged.

    `classes` are those of the columns of a function that returns probabilities, or the two of one that returns the
    probability of the second.
    """
    if isinstance(model, Sequence) and not isinstance(model, str):
        return _ensemble([read_black_box(each, classes) for each in model])
    named = None if classes is None else column_or_1d(classes)
    name = _name_of(model)
    if hasattr(model, "__sklearn_tags__") and is_regressor(model):
        _refuse_classes(named, name)
        return BlackBox(name, lambda table: np.asarray(model.predict(table)), False, is_regressor=True)
    own = getattr(model, "classes_", None)
    if own is not None and hasattr(model, "predict_proba"):
        _refuse_classes(named, name)
        return BlackBox(name, lambda table: np.asarray(model.predict_proba(table)), True, np.asarray(own))
    if hasattr(model, "predict"):
        _refuse_classes(named, name)
        return BlackBox(name, lambda table: np.asarray(model.predict(table)), False)
    if callable(model):
        return BlackBox(name, lambda table: np.asarray(model(table)), named is not None, named)
    raise TypeError(f"a black box is a fitted model, a function or a list of them, not {name}")


def _ensemble(members: Sequence[BlackBox]) -> BlackBox:
    """Return the average of some boxes, each of which may know some of the classes only."""
    if not members:
        raise ValueError("an ensemble needs at least one model")
    if all(each.is_regressor for each in members):
        return _average(members)
    classes = None
    if all(each.classes is not None for each in members):
        classes = np.unique(np.concatenate([np.asarray(each.classes) for each in members]))

    def ask(table: Any) -> NDArray[Any]:
        said = [each.answers(table)[0] for each in members]
        known = np.unique(np.concatenate([each.classes for each in said])) if classes is None else classes
        total = np.zeros((len(table), len(known)))
        for each in said:
            total[:, np.searchsorted(known, each.classes)] += each.probabilities
        return total / len(said) if classes is not None else known[np.argmax(total, axis=1)]

    return BlackBox(_names_of(members), ask, classes is not None, classes)


def _average(members: Sequence[BlackBox]) -> BlackBox:
    """Return the average of regressors."""
    return BlackBox(
        _names_of(members), lambda table: np.mean([each.ask(table) for each in members], axis=0), False, None, True
    )


def _names_of(members: Sequence[BlackBox]) -> str:
    return f"{len(members)} x {' and '.join(dict.fromkeys(each.name for each in members))}"


def _refuse_classes(classes: NDArray[Any] | None, name: str) -> None:
    if classes is not None:
        raise ValueError(f"classes has no effect here, since {name} names its own: leave classes out")


def _are_numbers(labels: NDArray[Any], name: str) -> bool:
    """Tell whether answers are numbers and not classes; refuse what may be probabilities."""
    if labels.dtype.kind != "f" or not np.isfinite(labels).all() or (labels == np.floor(labels)).all():
        return False
    if labels.min() >= 0.0 and labels.max() <= 1.0:
        example = labels[labels != np.floor(labels)][0]
        raise ValueError(
            f"{name} answers with numbers such as {example:.4g}: if these are probabilities, say of which two classes "
            "with classes=[...], the second being theirs; if they are amounts, give them in another unit, as percent"
        )
    return True


def _name_of(model: Any) -> str:
    name = getattr(model, "__name__", None)
    if isinstance(name, str):
        return "the function" if name == "<lambda>" else name
    steps = getattr(model, "steps", None)  # of a pipeline, whose last step is the model
    return type(steps[-1][1] if steps else model).__name__
