"""What a careful person would ask about the columns of a table before learning from it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evoter.cli.tables.column_kinds import ColumnView, Found

_ALONE = 0.02
"""A column that leaves no more of the guesses wrong than this decides the target alone."""

_MAX_ROWS = 5_000
_MIN_ROWS = 20
_MOSTLY_DIFFERENT = 0.5
_RARE = 0.02
_LONG_ENOUGH = 5
_MAX_LISTED = 3
_ID_NAME = re.compile(r"(^|[^a-z])(id|nbr|nr|uuid|guid|key)$", re.IGNORECASE)


def with_doubts(views: Sequence[ColumnView], labels: Sequence[str], target: str) -> list[ColumnView]:
    """Return the columns, those to be looked at with what to look at."""
    codes = np.unique(np.array(labels), return_inverse=True)[1]
    return [replace(view, doubt=_doubt(view, codes, target)) if view.is_feature else view for view in views]


def misspelt(counts: Mapping[str, int]) -> dict[str, str]:
    """Return the names that may be others misspelt: with other capitals or spaces, or rare and a letter or two off.

    >>> misspelt({"paid": 90, "due": 50, "PAID": 2, "default": 60, "defualt": 1})
    {'PAID': 'paid', 'defualt': 'default'}
    """
    found: dict[str, str] = {}
    ordered = sorted(counts, key=lambda name: (-counts[name], name))
    enough = _RARE * sum(counts.values())
    for place, name in enumerate(ordered):
        others = {_folded(other): other for other in reversed(ordered[:place]) if other not in found}
        near = [_folded(name)] if _folded(name) in others else []
        if not near and counts[name] <= enough:
            near = [each for each in get_close_matches(_folded(name), others, cutoff=0.8) if _slip(_folded(name), each)]
        if near:
            found[name] = others[near[0]]
    return found


def _slip(name: str, other: str) -> bool:
    """Tell whether names differ by a slip of the pen: not in short words or numbers, nor by a syllable in front."""
    words, others = name.split(), other.split()
    if len(words) != len(others) or re.findall(r"\d+", name) != re.findall(r"\d+", other):
        return False
    different = [(a, b) for a, b in zip(words, others, strict=True) if a != b]
    return all(
        min(len(a), len(b)) >= _LONG_ENOUGH and abs(len(a) - len(b)) <= 1 and not (a.endswith(b) or b.endswith(a))
        for a, b in different
    )


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def _doubt(view: ColumnView, codes: NDArray[np.intp], target: str) -> str:
    if len(codes) >= _MIN_ROWS and decides_alone(view, codes):
        return f"decides {target} alone: is it known beforehand? If not: --drop"
    if view.found is Found.NUMBER and _ID_NAME.search(view.name):
        present = view.values.drop_nulls()
        if present.n_unique() > _MOSTLY_DIFFERENT * len(present) and bool((present == present.round()).all()):
            return "looks like an identifier: --id (its rows stay together) or --drop"
    if view.found is Found.CATEGORY:
        counts = view.values.drop_nulls().value_counts()
        twice = misspelt(dict(counts.iter_rows()))
        if twice:
            return f"{_listed(twice)}? Then correct the table"
    return view.doubt


def about_classes(counts: Mapping[str, int], target: str) -> str:
    """Say which classes of a target may be one class written in several ways; nothing where none may."""
    twice = misspelt(counts)
    return f"{target!r}: {_listed(twice)}? Rules tell them apart: correct the table" if twice else ""


def _listed(twice: Mapping[str, str]) -> str:
    shown = [f"is {name!r} meant to be {other!r}" for name, other in list(twice.items())[:_MAX_LISTED]]
    more = f" (and {len(twice) - _MAX_LISTED} more)" if len(twice) > _MAX_LISTED else ""
    return ", ".join(shown) + more


def decides_alone(view: ColumnView, codes: NDArray[np.intp]) -> bool:
    """Tell whether a column separates the classes all but perfectly, which often means that it was known too late."""
    some = _sample(len(codes))
    codes = codes[some]
    n_wrong_guesses = len(codes) - int(np.bincount(codes).max())
    if n_wrong_guesses == 0:
        return False
    values = view.values[some.tolist()]
    if view.found is Found.NUMBER:
        numbers = values.to_numpy().astype(np.float64)
        return _may_separate(numbers, codes) and _wrong_by_tree(numbers, codes) <= _ALONE * n_wrong_guesses
    groups = values.cast(pl.String).fill_null("").to_numpy()
    names, places = np.unique(groups, return_inverse=True)
    if len(names) > len(codes) / 5:  # groups of a row or two are pure by chance
        return False
    counts = np.zeros((len(names), int(codes.max()) + 1), np.int64)
    np.add.at(counts, (places, codes), 1)
    return len(codes) - int(counts.max(axis=1).sum()) <= _ALONE * n_wrong_guesses


def _sample(n_rows: int) -> NDArray[np.intp]:
    if n_rows <= _MAX_ROWS:
        return np.arange(n_rows)
    return np.sort(np.random.default_rng(0).choice(n_rows, _MAX_ROWS, replace=False))


def _may_separate(numbers: NDArray[np.float64], codes: NDArray[np.intp]) -> bool:
    """Tell, cheaply, whether classes lie side by side along a number."""
    order = np.lexsort((codes, numbers))
    n_changes = int((np.diff(codes[order]) != 0).sum())
    return n_changes <= 0.05 * len(codes) + 2 * (int(codes.max()) + 1)


def _wrong_by_tree(numbers: NDArray[np.float64], codes: NDArray[np.intp]) -> int:
    from sklearn.tree import DecisionTreeClassifier

    # The tree reads single precision and no infinities; the order of the numbers is all that matters to it.
    ranks = np.unique(numbers, return_inverse=True)[1].astype(np.float64)
    ranks[np.isnan(numbers)] = np.nan
    n_classes = int(codes.max()) + 1
    least = max(2, len(codes) // 100)
    tree = DecisionTreeClassifier(max_leaf_nodes=2 * n_classes, min_samples_leaf=least, random_state=0)
    predicted: NDArray[Any] = tree.fit(ranks[:, None], codes).predict(ranks[:, None])
    return int((predicted != codes).sum())
