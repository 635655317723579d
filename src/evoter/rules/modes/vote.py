"""Mode vote: the certainties of the active rules are averaged per action, and the action with the largest mean wins."""

from collections.abc import Mapping, Sequence

from evoter.rules.model import Mode, Rule, RuleSet
from evoter.rules.modes.all import default_of_lone_rule
from evoter.rules.modes.hardmax import HARDMAX
from evoter.rules.modes.mode import C, Decision, DecisionMode, Outcome, Plan, Procedure, Task


class _Vote(DecisionMode):
    def decide(self, ruleset: RuleSet, active: tuple[int, ...]) -> Decision:
        means = _mean_certainties([ruleset.rules[index] for index in active])
        winner = max(means, key=lambda action: means[action])  # of equals, the one that an earlier rule voted for
        deciding = tuple(index for index in active if ruleset.rules[index].action == winner)
        return Decision((winner,), means[winner], active, deciding)

    def reduce(self, candidates: Sequence[C], default: Outcome) -> tuple[list[C], Outcome]:
        """Drop rules that never change a mean."""
        kept = list(candidates)
        for index in reversed(range(len(kept))):
            if not kept[index].rule.pinned and _changes_nothing(kept, index):
                del kept[index]
        return default_of_lone_rule(kept, default)

    def plan(self, ruleset: RuleSet) -> Plan:
        """Return a poll, or the order of certainty where no action has two rules, since a mean is then a certainty."""
        if len({rule.action for rule in ruleset.rules}) == len(ruleset.rules):
            return HARDMAX.plan(ruleset)._replace(note="")
        return super().plan(ruleset)

    def why_not_deciding(self, ruleset: RuleSet, decision: Decision, index: int) -> str:
        return "held as well, but was outvoted"

    def mean_certainties(self, ruleset: RuleSet, decision: Decision) -> Mapping[str, float]:
        means = _mean_certainties([ruleset.rules[index] for index in decision.active])
        return {action: means[action] for action in ruleset.schema.actions if action in means}

    def pinning_obstacle(self, rule: Rule) -> str:
        return "could be outvoted in mode vote; decide by mode first"


VOTE = _Vote(
    mode=Mode.VOTE,
    procedure=Procedure.POLL,
    tasks=frozenset({Task.CLASSIFICATION}),
    sentence="The rules whose conditions all hold vote, and the action with the highest mean certainty wins.",
    uses_certainty=True,
    in_printed_order=False,
    depends_on_actions=True,
    needs_active_rules=True,
)


def polls(ruleset: RuleSet, decision: Decision) -> dict[str, float]:
    """Return the mean certainty of the active rules for each action of the schema, 0 where none is active for it.

    Where no rule is active at all, the default has the only vote.
    """
    means = _mean_certainties([ruleset.rules[index] for index in decision.active])
    if not means:
        means = {ruleset.default: ruleset.default_certainty}
    return {action: means.get(action, 0.0) for action in ruleset.schema.actions}


def _mean_certainties(rules: Sequence[Rule]) -> dict[str, float]:
    """Average the certainties per action, in the order in which the actions first occur."""
    totals: dict[str, float] = {}
    counts: dict[str, int] = {}
    for rule in rules:  # added one by one: `sum` rounds differently from Python 3.12 on
        totals[rule.action] = totals.get(rule.action, 0.0) + rule.certainty
        counts[rule.action] = counts.get(rule.action, 0) + 1
    return {action: totals[action] / counts[action] for action in totals}


def _changes_nothing(candidates: Sequence[C], index: int) -> bool:
    """Tell whether no mean and no tie changes without a rule.

    Wherever it holds, another rule with its outcome must hold, and no voter for its action may have another certainty.
    """
    candidate = candidates[index]
    action = candidate.rule.action
    allies = [at for at, other in enumerate(candidates) if at != index and other.rule.action == action]
    equals = [at for at in allies if candidates[at].outcome == candidate.outcome]
    if not _mean_is_exact(candidate.rule.certainty, len(equals) + 1):
        return False
    for at in equals:
        # Ties go to the action that is voted for first: the earlier vote must not be replaced by one that comes after
        # a rule with another action.
        between = candidates[index + 1 : max(at, index + 1)]
        if all(other.rule.action == action for other in between) and candidate.implies(candidates[at]):
            return all(candidate.contradicts(candidates[other]) for other in allies if other not in equals)
    return False


def _mean_is_exact(certainty: float, most: int) -> bool:
    """Tell whether up to `most` equal certainties, added one by one, have that certainty as their mean."""
    total = 0.0
    for count in range(1, most + 1):
        total += certainty
        if total / count != certainty:
            return False
    return True
