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
class BlackBox:
    """A model that can be asked about rows; `name` is what it is called, `soft` says that it gives probabilities.

    `ask` returns labels, or probabilities with a column for each of `classes`.
    """

    name: str
    ask: Callable[[Any], NDArray[Any]]
    soft: bool
    classes: NDArray[Any] | None = None

    def answers(self, *tables: Any) -> list[Answers]:
        """Ask about the rows of some tables; all answers are about the same classes."""
        said = [self.ask(table) for table in tables]
        for table, answered in zip(tables, said, strict=True):
            if len(answered) != len(table):
                raise ValueError(f"{self.name} gives {len(answered):,} answers for {len(table):,} rows")
        whole = read_answers(np.concatenate(said), self.classes, self.name)
        ends = np.cumsum([len(each) for each in said])
        return [whole[end - len(each) : end] for each, end in zip(said, ends.tolist(), strict=True)]


def read_answers(said: NDArray[Any], classes: NDArray[Any] | None, name: str) -> Answers:
    """Read labels, or probabilities with a column for each of `classes`."""
    if said.ndim == 2 and said.shape[1] > 1:
        return Answers(*read_probabilities(said, classes))
    labels = column_or_1d(said)
    if labels.dtype.kind == "f" and classes is not None and len(classes) == 2 and not np.isin(labels, classes).all():
        return Answers(*read_probabilities(np.column_stack([1.0 - labels, labels]), classes))
    _refuse_numbers(labels, name)
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
    """Read a fitted classifier, a function of a table, or a sequence of them, whose probabilities are averaged.

    `classes` are those of the columns of a function that returns probabilities, or the two of one that returns the
    probability of the second.
    """
    if isinstance(model, Sequence) and not isinstance(model, str):
        return _ensemble([read_black_box(each, classes) for each in model])
    named = None if classes is None else column_or_1d(classes)
    name = _name_of(model)
    if hasattr(model, "__sklearn_tags__") and is_regressor(model):
        raise TypeError(
            f"{name} predicts numbers, and twins answer with classes: pass a function that says in which class a "
            "number falls, such as lambda X: np.where(model.predict(X) > 140, 'high', 'low')"
        )
    own = getattr(model, "classes_", None)
    if own is not None and hasattr(model, "predict_proba"):
        _refuse_classes(named, name)
        return BlackBox(name, lambda table: np.asarray(model.predict_proba(table)), True, np.asarray(own))
    if hasattr(model, "predict"):
        _refuse_classes(named, name)
        return BlackBox(name, lambda table: np.asarray(model.predict(table)), False)
    if callable(model):
        return BlackBox(name, lambda table: np.asarray(model(table)), named is not None, named)
    raise TypeError(f"a black box is a fitted classifier, a function or a list of them, not {name}")


def _ensemble(members: Sequence[BlackBox]) -> BlackBox:
    """Return the average of some boxes, each of which may know some of the classes only."""
    if not members:
        raise ValueError("an ensemble needs at least one model")
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

    names = list(dict.fromkeys(each.name for each in members))
    return BlackBox(f"{len(members)} x {' and '.join(names)}", ask, classes is not None, classes)


def _refuse_classes(classes: NDArray[Any] | None, name: str) -> None:
    if classes is not None:
        raise ValueError(f"classes has no effect here, since {name} names its own: leave classes out")


def _refuse_numbers(labels: NDArray[Any], name: str) -> None:
    if labels.dtype.kind == "f" and np.isfinite(labels).all() and (labels != np.floor(labels)).any():
        example = labels[labels != np.floor(labels)][0]
        raise ValueError(
            f"{name} answers with numbers such as {example:.4g}, which are no classes: if these are probabilities, "
            "say of which two classes with classes=[...], the second being theirs; else divide them into classes"
        )


def _name_of(model: Any) -> str:
    name = getattr(model, "__name__", None)
    if isinstance(name, str):
        return "the function" if name == "<lambda>" else name
    steps = getattr(model, "steps", None)  # of a pipeline, whose last step is the model
    return type(steps[-1][1] if steps else model).__name__
