"""How reliable a decision is: class probabilities, and the training rows that they rest on."""

from collections.abc import Mapping, Sequence

from evoter.rules.answers.track_record import RecordPart, TrackRecord
from evoter.rules.condition import Condition
from evoter.rules.interpreter import holds
from evoter.rules.logic import implies
from evoter.rules.model import RuleSet
from evoter.rules.modes import Decision, mode_of
from evoter.rules.numbers.residuals import Residuals
from evoter.rules.schema import Schema
from evoter.rules.text import print_condition
from evoter.rules.values import Row


def probabilities(ruleset: RuleSet, decision: Decision, history: Sequence[Row] = ()) -> Mapping[str, float] | None:
    """Return the probability of each class for a decision; None where the rules have no track records.

    They are those of the deciding rule, or of the part of its training rows that the last row of `history` belongs to;
    in mode vote, they are averaged over the active rules.

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
    records = [ruleset.records[index] for index in asked]
    tables = [(part_of(record, history, ruleset.schema) or record).probabilities for record in records]
    means = [sum(column) / len(asked) for column in zip(*tables, strict=True)]
    return dict(zip(ruleset.schema.actions, means, strict=True))


def part_of(record: TrackRecord, history: Sequence[Row], schema: Schema) -> RecordPart | None:
    """Return the part of a track record that the last row of a history belongs to; None without parts or rows."""
    if not history:
        return None
    belongs = (part for part in record.parts if all(holds(each, history, schema) for each in part.conditions))
    return next(belongs, None)


def deciding_record(ruleset: RuleSet, decision: Decision) -> TrackRecord | None:
    """Return the track record of the rule that decided, of several the first; None where there are no records."""
    return ruleset.records[_who(ruleset, decision, decision.deciding)[0]] if ruleset.records else None


def deciding_residuals(ruleset: RuleSet, decision: Decision) -> Residuals | None:
    """Return the residuals of the numeric rule that decided; None where they are unknown."""
    return ruleset.residuals[_who(ruleset, decision, decision.deciding)[0]] if ruleset.residuals else None


def interval_text(ruleset: RuleSet, decision: Decision, number: float) -> str:
    """Say in which interval the true number lies, and what that rests on; empty where nothing is known."""
    spread = deciding_residuals(ruleset, decision)
    if spread is None:
        return ""
    low, high = (amount_text(end, ruleset.schema) for end in spread.interval(number))
    who = "the default" if decision.by_default else f"rule {decision.deciding[0] + 1}"
    error = amount_text(spread.error, ruleset.schema)
    basis = f"on average {error} off on {spread.cases:,} training rows" if spread.cases else "of no training row"
    return f"{spread.level:.0%} interval {low} to {high}: {who} was {basis}"


def amount_text(number: float, schema: Schema) -> str:
    """Print a number to six digits, with the unit of the target.

    >>> from evoter.rules.schema import Target
    >>> amount_text(41.99999999999, Schema([], target=Target("weight", "kg")))
    '42 kg'
    """
    unit = schema.target.unit if schema.target is not None else ""
    return f"{number:.6g} {unit}".rstrip()


def right(record: TrackRecord | RecordPart, ruleset: RuleSet, action: str) -> int:
    """Return on how many of the training rows that a rule decided its action was the label."""
    return record.labels[ruleset.schema.actions.index(action)]


def basis_text(ruleset: RuleSet, decision: Decision, history: Sequence[Row] = ()) -> str:
    """Say the probability of a decision and what it rests on; empty where nothing is known."""
    found, record = probabilities(ruleset, decision, history), deciding_record(ruleset, decision)
    if found is None or record is None:
        return ""
    who = "the default" if decision.by_default else f"rule {decision.deciding[0] + 1}"
    if not record.cases:
        basis = f"{who} decided no training row"
    else:
        basis = f"{who} was right on {right(record, ruleset, decision.action):,} of {record.cases:,} training rows"
        if part := part_of(record, history, ruleset.schema):
            share = f"{right(part, ruleset, decision.action):,} of {part.cases:,}"
            basis += f", and on {share} where {_where(record, part, ruleset.schema)}"
    return f"probability {_share_text(found[decision.action])}: {basis}"


def _where(record: TrackRecord, part: RecordPart, schema: Schema) -> str:
    """Say which rows a part has: where its conditions hold and those of earlier parts do not."""
    earlier = [each.conditions for each in record.parts[: record.parts.index(part)]]
    widest = [each for each in earlier if not any(_covers(other, each, schema) for other in earlier if other != each)]
    others = [_joined([one for one in each if one not in part.conditions], schema) for each in widest]
    if not part.conditions:
        return f"{others[0]} does not hold" if len(others) == 1 else f"none of these holds: {', '.join(others)}"
    own = _joined(part.conditions, schema)
    return f"{own}, but not {' or '.join(others)}" if others else own


def _covers(wide: Sequence[Condition], narrow: Sequence[Condition], schema: Schema) -> bool:
    """Tell whether some conditions hold wherever others do."""
    return all(any(implies(one, other, schema) for one in narrow) for other in wide)


def _joined(conditions: Sequence[Condition], schema: Schema) -> str:
    return " and ".join(print_condition(condition, schema) for condition in conditions)


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
