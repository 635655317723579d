"""Queries: rows that nobody has seen but that could have been, to ask a black box about.

A query is a row of the table in which some features are replaced, all at once, by those of another row that agrees with
it in the other features as well as any: a draw from the distribution of these features given the others, as the nearest
rows estimate it. So queries stay where the data are. Independent noise does not: a black box says anything at all about
rows that cannot exist, and rules would have to explain that, too.
"""

from dataclasses import dataclass
from typing import Any, Final

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from evoter.estimators.inputs import is_frame
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.targets.designs import rank_lines, score_design
from evoter.rules.schema import Kind, Schema

N_NEIGHBOURS: Final = 10
"""The number of rows that agree best in the features that stay; one of them gives the others."""

MOST_REPLACED: Final = 0.5
"""The share of the features that are replaced at most."""

MAX_DONORS: Final = 4_000
"""The number of rows that features are taken from; a random choice of a larger table."""

_ROUNDS: Final = 8
"""How often queries are drawn anew for those that were in the table already."""

_BATCH: Final = 512
"""Queries whose distances to all donors are computed together."""


@dataclass(frozen=True, slots=True, eq=False)
class Queries:
    """Rows made of rows of a table: `origins[query, column]` is the row that the value of a column comes from."""

    origins: Ints

    def __len__(self) -> int:
        return len(self.origins)

    def rows(self, table: Any) -> Any:
        """Return the queries as a table of the kind that they were drawn from: a frame or an array."""
        if not is_frame(table):
            cells = np.asarray(table)
            return cells[self.origins, np.arange(cells.shape[1])]
        frame = nw.from_native(table, eager_only=True)
        columns = zip(frame.columns, self.origins.T, strict=True)
        return frame.select(*(frame[name].gather_every(1)[rows.tolist()] for name, rows in columns)).to_native()


class Surroundings:
    """Rows of a table by how near they are to each other: in ranks of numbers, equal categories and equal gaps.

    `lines` are the columns as numbers (see `evoter.tables.encode`), feature by feature.
    """

    def __init__(self, lines: Floats, schema: Schema) -> None:
        is_number = [feature.kind is Kind.NUMERIC for feature in schema.features]
        self.ranked = np.nan_to_num(rank_lines(lines, is_number), nan=-2.0)  # -1 is an unknown category
        parts = [
            score_design(line[None], [numeric])[:, 1:]
            for line, numeric in zip(rank_lines(lines, is_number), is_number, strict=True)
        ]
        self.scores = np.hstack(parts)
        self._features = np.repeat(np.arange(len(parts)), [part.shape[1] for part in parts])

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.scores)

    @property
    def n_features(self) -> int:
        """The number of features."""
        return len(self.ranked)

    def distances(self, rows: Ints, others: Ints, kept: NDArray[np.bool_] | None = None) -> Floats:
        """Return squared distances of rows to others; `kept[row, feature]` says which features count."""
        mine, theirs = self.scores[rows], self.scores[others]
        counted = np.ones_like(mine) if kept is None else kept[:, self._features].astype(np.float64)
        squares = (counted * mine**2).sum(axis=1)[:, None] + counted @ (theirs**2).T
        distances: Floats = np.maximum(squares - 2.0 * (counted * mine) @ theirs.T, 0.0)
        return distances

    def distances_from(self, row: int, queries: "Queries") -> Floats:
        """Return squared distances of queries from a row."""
        theirs = self.scores[queries.origins[:, self._features], np.arange(self.scores.shape[1])]
        distances: Floats = ((theirs - self.scores[row]) ** 2).sum(axis=1)
        return distances


def draw_queries(
    surroundings: Surroundings, n_queries: int, rng: np.random.Generator, among: Ints | None = None
) -> Queries:
    """Draw up to `n_queries` different rows that are not in the table; `among` are the rows to make them of.

    There are fewer where the table has few different values, and none where it has a single column.
    """
    rows = np.arange(surroundings.n_rows) if among is None else among
    nothing = np.empty((0, surroundings.n_features), np.int64)
    if n_queries <= 0 or surroundings.n_features < 2 or len(rows) < 2:
        return Queries(nothing)
    donors = np.sort(rng.permutation(rows)[:MAX_DONORS])
    found = nothing
    for _ in range(_ROUNDS):
        missing = n_queries - len(found)
        if missing <= 0:
            break
        drawn = np.concatenate([found, _draw(surroundings, missing, rng, rows, donors)])
        found = drawn[_new(surroundings, drawn)]
    return Queries(found[:n_queries])


def _draw(surroundings: Surroundings, n: int, rng: np.random.Generator, rows: Ints, donors: Ints) -> Ints:
    """Return the origins of queries, some of which may be rows of the table."""
    n_features = surroundings.n_features
    n_most = max(1, int(MOST_REPLACED * n_features))
    bases = rng.choice(rows, n)
    n_replaced = rng.integers(1, n_most + 1, n)
    order = np.argsort(rng.random((n, n_features)), axis=1)
    replaced = np.argsort(order, axis=1) < n_replaced[:, None]
    n_nearest = min(N_NEIGHBOURS, len(donors))
    chosen = np.empty(n, np.int64)
    for begin in range(0, n, _BATCH):
        part = slice(begin, begin + _BATCH)
        distances = surroundings.distances(bases[part], donors, ~replaced[part])
        distances[bases[part][:, None] == donors] = np.inf
        nearest = np.argpartition(distances, n_nearest - 1, axis=1)[:, :n_nearest]
        drawn = rng.integers(0, n_nearest, len(nearest))
        chosen[part] = donors[nearest[np.arange(len(nearest)), drawn]]
    origins: Ints = np.where(replaced, chosen[:, None], bases[:, None])
    return origins


def _new(surroundings: Surroundings, origins: Ints) -> NDArray[np.bool_]:
    """Tell which queries are neither rows of the table nor earlier queries."""
    ranked = surroundings.ranked
    queries = ranked[np.arange(len(ranked)), origins]
    both = np.concatenate([ranked.T, queries])
    _, first = np.unique(both, axis=0, return_index=True)
    is_first = np.zeros(len(both), np.bool_)
    is_first[first] = True
    return is_first[len(ranked.T) :]
