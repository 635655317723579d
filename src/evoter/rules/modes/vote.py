"""Mode vote: the certainties of the active rules are averaged per action, and the action with the largest mean wins."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from evoter.rules.model import Mode, Rule, RuleSet
from evoter.rules.modes.all import default_of_lone_rule
from evoter.rules.modes.hardmax import HARDMAX
from evoter.rules.modes.mode import MAX_COMPARED, C, Decision, DecisionMode, Outcome, Plan, Procedure, Task


class _Vote(DecisionMode):
    def decide(self, ruleset: RuleSet, active: tuple[int, ...]) -> Decision:
        means = _mean_certainties([ruleset.rules[index] for index in active])
        winner = max(means, key=lambda action: means[action])  # of equals, the one that an earlier rule voted for
        deciding = tuple(index for index in active if ruleset.rules[index].action == winner)
        return Decision((winner,), means[winner], active, deciding)

    def reduce(self, candidates: Sequence[C], default: Outcome) -> tuple[list[C], Outcome]:
        """Drop rules that never change a mean."""
        voters: dict[str, list[int]] = {}
        for index, candidate in enumerate(candidates):
            voters.setdefault(candidate.rule.action, []).append(index)
        for index in reversed(range(len(candidates))):
            rule = candidates[index].rule
            if not rule.pinned and _changes_nothing(candidates, index, voters):
                voters[rule.action].remove(index)
        kept = sorted(index for positions in voters.values() for index in positions)
        return default_of_lone_rule([candidates[index] for index in kept], default)

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


def _changes_nothing(candidates: Sequence[C], index: int, voters: Mapping[str, Sequence[int]]) -> bool:
    """Tell whether no mean and no tie changes without a rule; `voters` are the rules that are left for each action.

    Wherever it holds, another rule with its outcome must hold, and no voter for its action may have another certainty.
    """
    candidate = candidates[index]
    certainty = candidate.rule.certainty
    allies = [at for at in voters[candidate.rule.action] if at != index]
    equals = [at for at in allies if candidates[at].rule.certainty == certainty]
    if not equals or len(allies) - len(equals) > MAX_COMPARED or not _mean_is_exact(certainty, len(equals) + 1):
        return False
    # Ties go to the action that is voted for first: the earlier vote must not be replaced by one that comes after
    # a rule with another action.
    rivals = [positions for action, positions in voters.items() if action != candidate.rule.action]
    places = [(positions, bisect_right(positions, index)) for positions in rivals]
    end = min((positions[at] for positions, at in places if at < len(positions)), default=len(candidates))
    near = [at for at in equals if at < end]
    if not any(candidate.implies(candidates[at]) for at in near[:MAX_COMPARED]):
        return False
    return all(candidate.contradicts(candidates[at]) for at in allies if candidates[at].rule.certainty != certainty)


def _mean_is_exact(certainty: float, most: int) -> bool:
    """Tell whether up to `most` equal certainties, added one by one, have that certainty as their mean."""
    total = 0.0
    for count in range(1, most + 1):
        total += certainty
        if total / count != certainty:
            return False
    return True
