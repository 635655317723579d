"""How reliable a decision is: class probabilities, and the training rows that they rest on."""

from collections.abc import Mapping

from evoter.rules.answers.track_record import TrackRecord
from evoter.rules.model import RuleSet
from evoter.rules.modes import Decision, mode_of


def probabilities(ruleset: RuleSet, decision: Decision) -> Mapping[str, float] | None:
    """Return the probability of each class for a decision; None where the rules have no track records.

    They are those of the deciding rule; in mode vote, they are averaged over the active rules.

    >>> from evoter.rules.interpreter import decide
    >>> from evoter.rules.parser import parse
    >>> rules = parse("age > 60 -> old; Default -> young")
    >>> rules = rules.replace(records=[TrackRecord((9, 1), (0.9, 0.1)), TrackRecord((0, 5), (0.1, 0.9))])
    >>> probabilities(rules, decide(rules, {"age": 81}))
    {'old': 0.9, 'young': 0.1}
    """
    if not ruleset.records:
        return None
    asked = _who(ruleset, decision, decision.active)
    tables = [ruleset.records[index].probabilities for index in asked]
    means = [sum(column) / len(asked) for column in zip(*tables, strict=True)]
    return dict(zip(ruleset.schema.actions, means, strict=True))


def deciding_record(ruleset: RuleSet, decision: Decision) -> TrackRecord | None:
    """Return the track record of the rule that decided, of several the first; None where there are no records."""
    return ruleset.records[_who(ruleset, decision, decision.deciding)[0]] if ruleset.records else None


def right(record: TrackRecord, ruleset: RuleSet, action: str) -> int:
    """Return on how many of the training rows that a rule decided its action was the label."""
    return record.labels[ruleset.schema.actions.index(action)]


def basis_text(ruleset: RuleSet, decision: Decision) -> str:
    """Say the probability of a decision and what it rests on; empty where nothing is known."""
    found, record = probabilities(ruleset, decision), deciding_record(ruleset, decision)
    if found is None or record is None:
        return ""
    who = "the default" if decision.by_default else f"rule {decision.deciding[0] + 1}"
    if not record.cases:
        basis = f"{who} decided no training row"
    else:
        basis = f"{who} was right on {right(record, ruleset, decision.action):,} of {record.cases:,} training rows"
    return f"probability {_share_text(found[decision.action])}: {basis}"


def _share_text(share: float) -> str:
    """Write a probability with two decimals, but none that is not 1 as 1.00.

    >>> _share_text(0.754), _share_text(0.9991), _share_text(1.0)
    ('0.75', 'above 0.99', '1.00')
    """
    return "above 0.99" if 0.99 < share < 1.0 and f"{share:.2f}" == "1.00" else f"{share:.2f}"


def _who(ruleset: RuleSet, decision: Decision, rules: tuple[int, ...]) -> tuple[int, ...]:
    """Return some rules of a decision, the one that decided where the mode asks for one, or the default."""
    if decision.by_default:
        return (len(ruleset.rules),)
    return rules if mode_of(ruleset.mode).needs_active_rules else decision.deciding
