"""What would refute a claim about decisions: a pair that differs, an action that is taken, a decision that falls."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evoter.rules.modes import Decision


class Claim(ABC):
    """What a point must do to refute a claim: `refutes` the keys of the decisions that are made there."""

    @abstractmethod
    def key(self, decision: Decision) -> Hashable:
        """Return what matters about a decision."""

    @abstractmethod
    def refutes(self, *keys: Any) -> bool:
        """Tell whether decisions with these keys refute the claim."""


@dataclass(frozen=True)
class NoDifference(Claim):
    """Two rule sets decide the same; pairs of deciding rules in `known` do not count any more."""

    certainties: bool = False
    known: frozenset[tuple[tuple[int, ...], tuple[int, ...]]] = field(default=frozenset())

    def key(self, decision: Decision) -> Hashable:
        """Return the actions, and the certainty and the deciding rules where they matter."""
        deciding = decision.deciding if self.known else ()
        return decision.actions, decision.certainty if self.certainties else 1.0, deciding

    def refutes(self, *keys: Any) -> bool:
        """Tell whether two decisions differ, and are not known to."""
        (actions, certainty, deciding), (others, other_certainty, other_deciding) = keys
        if (deciding, other_deciding) in self.known:
            return False
        return bool(actions != others or certainty != other_certainty)


@dataclass(frozen=True)
class Taken(Claim):
    """An action is always among those taken or, with `never`, never."""

    action: str
    never: bool

    def key(self, decision: Decision) -> Hashable:
        """Return whether the action is taken."""
        return self.action in decision.actions

    def refutes(self, *keys: Any) -> bool:
        """Tell whether the action is taken although it never should be, or the other way round."""
        return bool(keys[0]) is self.never


@dataclass(frozen=True)
class NoFall(Claim):
    """The decision at the second point is not lower than at the first."""

    ranks: Mapping[str, int]

    def key(self, decision: Decision) -> Hashable:
        """Return the rank of the action."""
        return self.ranks[decision.action]

    def refutes(self, *keys: Any) -> bool:
        """Tell whether the second decision is lower."""
        return bool(keys[0] > keys[1])


@dataclass(frozen=True)
class NotDeciding(Claim):
    """A rule never decides."""

    rule: int

    def key(self, decision: Decision) -> Hashable:
        """Return whether the rule decides."""
        return self.rule in decision.deciding

    def refutes(self, *keys: Any) -> bool:
        """Tell whether it does."""
        return bool(keys[0])


@dataclass(frozen=True)
class Impossible(Claim):
    """Some conditions never hold together, whatever is decided."""

    def key(self, decision: Decision) -> Hashable:
        """Return nothing: no decision matters."""
        return None

    def refutes(self, *keys: Any) -> bool:
        """Say that any point refutes it."""
        return True
