"""The order of a decision list is that in which the first active rule decides."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains import random_histories, random_ruleset
from evoter.export.deciding import deciding, polls, refuse_lags, refuse_several_actions
from evoter.rules.errors import RuleError
from evoter.rules.interpreter import decide_now
from evoter.rules.modes import Procedure, mode_of
from evoter.rules.parser import parse


@given(st.integers(0, 2**32))
def test_the_first_active_rule_of_the_list_decides(seed: int) -> None:
    rng = Random(seed)
    ruleset = random_ruleset(rng)
    procedure, rules, _ = deciding(ruleset)
    if procedure is not Procedure.IN_ORDER:
        assert procedure is mode_of(ruleset.mode).procedure
        assert rules == list(enumerate(ruleset.rules, start=1))
        return
    for history in random_histories(rng, [], ruleset.schema, 10):
        decision = decide_now(ruleset, history)
        first = next((number for number, _ in rules if number - 1 in decision.active), None)
        assert decision.deciding == (() if first is None else (first - 1,))


def test_a_vote_is_a_list_where_no_action_has_two_rules() -> None:
    vote = parse(
        "x > 1 -> 0.3*a; y > 1 -> 0.7*b; Default -> a; where x: numeric; y: numeric; actions: a|b; decide: vote"
    )
    assert deciding(vote).procedure is Procedure.IN_ORDER
    assert [number for number, _ in deciding(vote).rules] == [2, 1]
    twice = vote.replace(rules=(*vote.rules, vote.rules[0]))
    assert deciding(twice).procedure is Procedure.POLL
    assert {action: [number for number, _ in rules] for action, rules in polls(twice).items()} == {
        "a": [1, 3],
        "b": [2],
    }


def test_what_cannot_be_said_is_refused() -> None:
    several = parse("x > 1 -> a; Default -> b; where x: numeric; actions: a|b; decide: all")
    with pytest.raises(RuleError, match="SQL gives one action per row, but mode all"):
        refuse_several_actions(several, "SQL")
    looking_back = parse("x > 1 -> a; x > x[2] -> a; Default -> b")
    with pytest.raises(RuleError, match=r"rule 2 looks back \(x > x\[2\]\): no; do this"):
        refuse_lags(list(enumerate(looking_back.rules, start=1)), "no", "do this")
