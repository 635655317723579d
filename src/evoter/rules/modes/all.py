"""Mode all: every active rule gives its action, in order."""

from collections.abc import Sequence

from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes.mode import C, Decision, DecisionMode, Outcome, Procedure, Task


class _All(DecisionMode):
    def decide(self, ruleset: RuleSet, active: tuple[int, ...]) -> Decision:
        rules = [ruleset.rules[index] for index in active]
        return Decision(tuple(rule.action for rule in rules), rules[0].certainty, active, active)

    def reduce(self, candidates: Sequence[C], default: Outcome) -> tuple[list[C], Outcome]:
        return default_of_lone_rule(candidates, default)

    def why_not_deciding(self, ruleset: RuleSet, decision: Decision, index: int) -> str:
        raise AssertionError("in mode all every active rule decides")


def default_of_lone_rule(candidates: Sequence[C], default: Outcome) -> tuple[list[C], Outcome]:
    """Turn a rule that always holds into the default if there is no other rule, and change nothing otherwise."""
    if len(candidates) == 1 and candidates[0].always_holds and not candidates[0].rule.pinned:
        return [], candidates[0].outcome
    return list(candidates), default


ALL = _All(
    mode=Mode.ALL,
    procedure=Procedure.EVERY,
    tasks=frozenset({Task.COMBINATIONS}),
    sentence="Every rule whose conditions all hold gives its action, from the top.",
    uses_certainty=False,
    in_printed_order=False,
    depends_on_actions=False,
    needs_active_rules=False,
)
