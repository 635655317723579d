"""Mode first: the first active rule decides."""

from collections.abc import Sequence
from typing import Any

from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes.in_order import InOrder
from evoter.rules.modes.mode import Decision, Task


class _First(InOrder):
    def precedence(self, action: Any, certainty: Any, default: Any) -> Any:
        return 0

    def why_not_deciding(self, ruleset: RuleSet, decision: Decision, index: int) -> str:
        return "held as well, but comes later"

    def could_have_decided(self, ruleset: RuleSet, decision: Decision) -> Sequence[int]:
        """Leave out the rules after the deciding one: whether they held made no difference."""
        return range(decision.deciding[0] if decision.deciding else len(ruleset.rules))


FIRST = _First(
    mode=Mode.FIRST,
    tasks=frozenset({Task.CLASSIFICATION, Task.PRESCRIPTION, Task.AMOUNTS, Task.CONTROL}),
    sentence="The rules are tried from the top, and the first one whose conditions all hold decides.",
    uses_certainty=False,
    in_printed_order=True,
    depends_on_actions=False,
    needs_active_rules=False,
)
