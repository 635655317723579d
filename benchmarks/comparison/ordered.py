"""From rules for one class to rules for many: one class after the other, the rarest first, as RIPPER does it."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evoter.experiments.classification.task import Labels


class OneClassRules(Protocol):
    """Rules that tell one class from the rest."""

    def fit(self, X: pd.DataFrame, is_class: NDArray[np.bool_]) -> None:
        """Learn rules for the rows of the class."""

    def covers(self, X: pd.DataFrame) -> NDArray[np.bool_]:
        """Say for which rows some rule holds."""

    def n_conditions(self) -> int:
        """Count the conditions of all rules."""


class OrderedClasses:
    """A list of one-class rules: the first that covers a row decides, and what none covers is of the class left over.

    Each class is learnt on the rows that the classes before it left. With two classes there is one set of rules, for
    the rarer class.
    """

    def __init__(self, make: Callable[[], OneClassRules]) -> None:
        self.make = make

    def fit(self, X: pd.DataFrame, y: Labels) -> None:
        """Learn rules for every class but the commonest."""
        names, counts = np.unique(y, return_counts=True)
        order = names[np.argsort(counts, kind="stable")]
        self.parts: list[tuple[str, OneClassRules]] = []
        left = np.arange(len(y))
        for name in order[:-1]:
            is_class = y[left] == name
            if not is_class.any() or is_class.all():
                continue
            rules = self.make()
            rules.fit(X.iloc[left], is_class)
            self.parts.append((str(name), rules))
            left = left[~rules.covers(X.iloc[left])]
        names, counts = np.unique(y[left], return_counts=True)
        self.otherwise = str(names[counts.argmax()]) if len(names) else str(order[-1])

    def predict(self, X: pd.DataFrame) -> Labels:
        """Return the class of each row."""
        decided = np.full(len(X), self.otherwise, dtype=object)
        for name, rules in reversed(self.parts):
            decided[rules.covers(X)] = name
        return decided.astype(str)

    def complexity(self) -> int:
        """Count the conditions for all classes."""
        return sum(rules.n_conditions() for _, rules in self.parts)

    def rules(self) -> str:
        """Return nothing: the table is about this project's rules."""
        return ""
