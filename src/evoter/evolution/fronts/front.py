"""Pareto fronts as values: candidates that no other one beats in every objective, and ways to choose among them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evoter.evolution.fronts.selection import Bounds, Validation, choose
from evoter.evolution.mechanisms.nsga2 import as_costs, stand
from evoter.evolution.problem import Objective
from evoter.kernels.fronts.hypervolume import hypervolume
from evoter.kernels.layout import Floats
from evoter.rules.errors import did_you_mean
from evoter.rules.model import RuleSet

if TYPE_CHECKING:
    from rich.table import Table

SIZES = ("conditions", "rules", "features")
"""What every candidate can be measured by, beside its objectives."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule set of a front, its scores by the names of the objectives, and what it decides on the training rows."""

    ruleset: RuleSet
    scores: Mapping[str, float] = field(hash=False)
    behaviour: NDArray[np.integer[Any]] | None = field(default=None, repr=False, compare=False)

    @property
    def n_conditions(self) -> int:
        """The number of conditions of the rule set."""
        return self.ruleset.n_conditions

    @property
    def n_rules(self) -> int:
        """The number of rules, the default not counted."""
        return len(self.ruleset.rules)

    @property
    def n_features(self) -> int:
        """The number of features that some condition reads."""
        return len(self.ruleset.features_used)

    def value(self, name: str) -> float:
        """Return the score of an objective, or else one of the sizes `conditions`, `rules` and `features`."""
        if name in self.scores:
            return self.scores[name]
        if name in SIZES:
            return float(getattr(self, f"n_{name}"))
        known = list(dict.fromkeys([*self.scores, *SIZES]))
        raise ValueError(f"the front has no objective {name!r}{did_you_mean(name, known) or f'; known: {known}'}")


@dataclass(frozen=True, slots=True, repr=False)
class Front(Sequence[Candidate]):
    r"""Candidates and the objectives they trade off; `chosen` is the number of the one in use, if any.

    A front prints as a table.

    >>> from evoter import parse
    >>> small = parse("1. x > 3 -> no\n2. Default -> yes\nwhere\n  x: numeric\n  actions: yes | no")
    >>> large = parse("1. x > 3 AND x < 5 -> no\n2. Default -> yes\nwhere\n  x: numeric\n  actions: yes | no")
    >>> objectives = (Objective("accuracy"), Objective("complexity", maximise=False))
    >>> front = make_front([large, small], [[0.9, 2], [0.8, 1]], objectives)
    >>> front
    number  accuracy ↑  complexity ↓  rules  features
    0            0.900             2      1         1
    1            0.800             1      1         1
    >>> front.select(at_most={"conditions": 1}).scores["accuracy"]
    0.8
    >>> round(front.hypervolume({"accuracy": 0.5, "complexity": 3}), 6)
    0.7
    """

    candidates: tuple[Candidate, ...]
    objectives: tuple[Objective, ...]
    chosen: int | None = None

    def __post_init__(self) -> None:
        names = [objective.name for objective in self.objectives]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"a front needs objectives with different names, got {names}")
        for number, candidate in enumerate(self.candidates):
            if set(candidate.scores) != set(names):
                raise ValueError(f"candidate {number} must have a score for each of {names}, got {candidate.scores}")
        if self.chosen is not None and not 0 <= self.chosen < len(self.candidates):
            raise ValueError(f"chosen must be from 0 to {len(self.candidates) - 1}, got {self.chosen}")

    @overload
    def __getitem__(self, number: int) -> Candidate: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Candidate, ...]: ...
    def __getitem__(self, number: int | slice) -> Candidate | tuple[Candidate, ...]:
        return self.candidates[number]

    def __len__(self) -> int:
        return len(self.candidates)

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.candidates)

    def objective(self, name: str | None = None) -> Objective:
        """Return an objective by name, the first by default."""
        if name is None:
            return self.objectives[0]
        names = [objective.name for objective in self.objectives]
        if name not in names:
            raise ValueError(f"the front has no objective {name!r}{did_you_mean(name, names) or f'; known: {names}'}")
        return self.objectives[names.index(name)]

    @property
    def scores(self) -> Floats:
        """The scores [candidate, objective], in the user's directions."""
        rows = [[candidate.scores[each.name] for each in self.objectives] for candidate in self.candidates]
        return np.array(rows, np.float64).reshape(len(self), len(self.objectives))

    @property
    def costs(self) -> Floats:
        """The scores as costs, of which less is better in every column."""
        return as_costs(self.scores, self.objectives)

    def select(
        self,
        by: str | None = None,
        *,
        objective: str | None = None,
        weights: Mapping[str, float] | None = None,
        validation: Validation | None = None,
        n_neighbours: int = 5,
        at_most: Bounds | None = None,
        at_least: Bounds | None = None,
    ) -> Candidate:
        """Choose a candidate, among those within the bounds if there are any.

        Parameters
        ----------
        by : {"best", "knee", "weights", "validation", "neighbours"} or None, default=None
            "best": the best score of `objective`. "knee": where giving up a little of one objective stops buying much
            of another: farthest from the plane through the ends of the front, each objective scaled to its range.
            "weights": the best weighted sum of scores. "validation": the highest `validation`. "neighbours": the best
            mean score of `objective`, or weighted sum of scores if there are `weights`, over a candidate and its
            `n_neighbours` nearest in behaviour, which is the number of training rows decided differently; a candidate
            that is good by luck has worse neighbours.
            None means what the other arguments say, else "best". Ties go to the candidate with fewer conditions, then
            to the earlier one.
        objective : str or None, default=None
            The name of an objective; None for the first one.
        weights : mapping or None, default=None
            What one unit of each objective is worth, 0 or more; those not named are worth nothing.
        validation : callable, sequence or None, default=None
            A function of a rule set, or a number for each candidate; more is better.
        n_neighbours : int, default=5
            How many neighbours are averaged, beside the candidate itself.
        at_most, at_least : mapping or None, default=None
            Bounds on objectives, or on "conditions", "rules" and "features".
        """
        arguments = (objective, weights, validation, n_neighbours, at_most, at_least)
        return self.candidates[choose(self, by, *arguments)]

    def choose(self, candidate: Candidate | int) -> Self:
        """Return the same front with another candidate marked as the chosen one, given by itself or its number."""
        return replace(self, chosen=candidate if isinstance(candidate, int) else self.index(candidate))

    def hypervolume(self, reference: Mapping[str, float]) -> float:
        """Return how much the front dominates of the space before a reference point, given by objective.

        The reference is worse than what is worth having; candidates that do not beat it in every objective add nothing.
        """
        for name in reference:
            self.objective(name)
        missing = [each.name for each in self.objectives if each.name not in reference]
        if missing:
            raise ValueError(f"the reference needs a value for every objective; there is none for {missing}")
        corner = np.array([[float(reference[each.name]) for each in self.objectives]])
        if not np.isfinite(corner).all():
            raise ValueError(f"the reference must be finite, got {dict(reference)}")
        return float(hypervolume(self.costs, as_costs(corner, self.objectives)[0]))

    def to_markdown(self) -> str:
        """Print the front as a Markdown table."""
        from evoter.evolution.fronts.front_text import markdown_table

        return markdown_table(self)

    def __repr__(self) -> str:
        from evoter.evolution.fronts.front_text import text_table

        return text_table(self)

    def _repr_html_(self) -> str:
        from evoter.evolution.fronts.front_text import html_table

        return html_table(self)

    def __rich__(self) -> "Table":
        from evoter.evolution.fronts.front_terminal import colour_front

        return colour_front(self)


def make_front(
    rulesets: Sequence[RuleSet],
    scores: ArrayLike,
    objectives: Sequence[Objective],
    behaviours: Sequence[NDArray[np.integer[Any]]] | None = None,
) -> Front:
    """Make the front of some rule sets with scores [rule set, objective], the best in the first objective first.

    Dominated ones are left out. Of several with equal scores, the one with the fewest conditions stays.
    """
    table = np.asarray(scores, np.float64).reshape(len(rulesets), len(objectives))
    by_size = np.argsort([ruleset.n_conditions for ruleset in rulesets], kind="stable")
    costs = as_costs(table, objectives)
    standing = stand(costs[by_size])
    best = by_size[(standing.ranks == 0) & (standing.copies == 0)]
    best = best[np.lexsort(costs[best].T[::-1])]
    candidates = tuple(
        Candidate(
            rulesets[i],
            {each.name: float(score) for each, score in zip(objectives, table[i], strict=True)},
            None if behaviours is None else behaviours[i],
        )
        for i in best
    )
    return Front(candidates, tuple(objectives))
