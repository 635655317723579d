"""The data sets that classifiers are compared on: a table, its classes, and its publisher's split if there is one."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from evoter.datasets import fetch_contraceptive_choice, fetch_credit_approval, fetch_human_activity

Labels = NDArray[np.str_]


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """A data set to be learnt; `published_test` marks the test rows where only the publisher's split is used."""

    name: str
    title: str
    data: pd.DataFrame
    target: Labels
    published_test: NDArray[np.bool_] | None = None

    def digest(self) -> str:
        """Return a short name for exactly these rows: what was measured on others is measured anew."""
        values = pd.util.hash_pandas_object(self.data.assign(target=self.target), index=False).to_numpy()
        seen = hashlib.sha256(values.tobytes())
        seen.update(repr([(str(name), str(kind)) for name, kind in self.data.dtypes.items()]).encode())
        if self.published_test is not None:
            seen.update(self.published_test.tobytes())
        return seen.hexdigest()[:12]


TITLES = {
    "iris": "Iris",
    "cancer": "Breast cancer",
    "wine": "Wine",
    "credit": "Credit approval",
    "contraception": "Contraceptive choice",
    "digits": "Digits",
    "activity": "Human activity",
    "subjects": "Human activity (unseen subjects)",
}
"""The data sets, by the name they have on the command line."""

PUBLISHED_SPLIT = "subjects"
"""The one that is split as its publishers did it, always."""

_FETCH: dict[str, Callable[..., Any]] = {
    "iris": lambda: load_iris(as_frame=True),
    "cancer": lambda: load_breast_cancer(as_frame=True),
    "wine": lambda: load_wine(as_frame=True),
    "credit": fetch_credit_approval,
    "contraception": fetch_contraceptive_choice,
    "digits": lambda: load_digits(as_frame=True),
    "activity": fetch_human_activity,
    "subjects": fetch_human_activity,
}


def load_task(name: str) -> Task:
    """Return a data set with its classes by name.

    >>> load_task("iris").target[0]
    np.str_('setosa')
    """
    found = _FETCH[name]()
    target = found.target_names[found.target.to_numpy()].astype(str) if hasattr(found, "target_names") else found.target
    return Task(name, TITLES[name], found.data, target, found.published_test if name == PUBLISHED_SPLIT else None)
