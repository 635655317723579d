"""What modes share in which the first active rule in some order of precedence decides."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evoter.rules.model import RuleSet
from evoter.rules.modes.mode import MAX_COMPARED, C, Decision, DecisionMode, Outcome, Plan, Procedure


@dataclass(frozen=True, kw_only=True)
class InOrder(DecisionMode):
    """A mode that is defined by its `precedence`; `note` explains that order to readers of exported code."""

    procedure: Procedure = Procedure.IN_ORDER
    note: str = ""

    @abstractmethod
    def precedence(self, action: Any, certainty: Any, default: Any) -> Any:
        """Return the key that rules are sorted by, the smallest first."""

    def decide(self, ruleset: RuleSet, active: tuple[int, ...]) -> Decision:
        """Let the active rule decide that comes first in the order of precedence."""
        rule = ruleset.rules[decider := min(active, key=lambda index: self._key(ruleset, index))]
        return Decision((rule.action,), rule.certainty, active, (decider,))

    def plan(self, ruleset: RuleSet) -> Plan:
        """Return the order of precedence."""
        order = sorted(range(len(ruleset.rules)), key=lambda index: self._key(ruleset, index))
        return Plan(self.procedure, tuple(order), self.note)

    def _key(self, ruleset: RuleSet, index: int) -> float:
        rule = ruleset.rules[index]
        return float(self.precedence(rule.action, rule.certainty, ruleset.default))

    def reduce(self, candidates: Sequence[C], default: Outcome) -> tuple[list[C], Outcome]:
        """Drop rules that never decide or need not; a last rule that always holds becomes the default."""
        positions = {id(candidate): position for position, candidate in enumerate(candidates)}
        kept: list[C] = []
        for candidate in self._sorted(candidates, default):
            if candidate.rule.pinned or not any(map(candidate.implies, kept[-MAX_COMPARED:])):
                kept.append(candidate)
        while kept and kept[-1].always_holds and not kept[-1].rule.pinned:
            printed = sorted(kept[:-1], key=lambda candidate: positions[id(candidate)])
            if self._sorted(printed, kept[-1].outcome) != kept[:-1]:
                break  # another default would change the order of precedence
            default = kept.pop().outcome
        for index in reversed(range(len(kept))):
            if not kept[index].rule.pinned and _is_replaced(kept, index, default):
                del kept[index]
        return sorted(kept, key=lambda candidate: positions[id(candidate)]), default

    def _sorted(self, candidates: Sequence[C], default: Outcome) -> list[C]:
        def key(candidate: C) -> float:
            return float(self.precedence(candidate.rule.action, candidate.rule.certainty, default.action))

        return sorted(candidates, key=key)


def _is_replaced(candidates: Sequence[C], index: int, default: Outcome) -> bool:
    """Tell whether whatever decides instead of a rule, once it is removed, has the same outcome."""
    candidate = candidates[index]
    for other in candidates[index + 1 : index + 1 + MAX_COMPARED]:
        if other.outcome == candidate.outcome:
            if candidate.implies(other):
                return True
        elif not candidate.contradicts(other):
            return False
    return candidate.outcome == default and len(candidates) <= index + 1 + MAX_COMPARED
