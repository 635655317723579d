"""Mode hardmax: the most certain active rule decides; of equally certain ones, the first."""

from typing import Any

from evoter.rules.model import Mode, Rule, RuleSet
from evoter.rules.modes.in_order import InOrder
from evoter.rules.modes.mode import Decision, Task


class _Hardmax(InOrder):
    def precedence(self, action: Any, certainty: Any, default: Any) -> Any:
        return -certainty

    def why_not_deciding(self, ruleset: RuleSet, decision: Decision, index: int) -> str:
        return "held as well, but is not more certain"

    def pinning_obstacle(self, rule: Rule) -> str:
        if rule.certainty == 1.0:
            return ""
        return (
            f"has the certainty {rule.certainty}: in mode hardmax a more certain rule would overrule it; "
            "give it the certainty 1, or decide by mode first"
        )


HARDMAX = _Hardmax(
    mode=Mode.HARDMAX,
    tasks=frozenset({Task.CLASSIFICATION, Task.PRESCRIPTION, Task.AMOUNTS}),
    sentence="Of the rules whose conditions all hold, the most certain one decides; of several, the first.",
    uses_certainty=True,
    in_printed_order=False,
    depends_on_actions=False,
    needs_active_rules=False,
    note="The surest rule that holds decides, so the surest comes first.",
)
