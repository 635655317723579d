"""The compiled order of rules is that of the rule language, and every mode has code that decides for it."""

from dataclasses import replace
from random import Random

import pytest

from evoter.genome.codec import encode
from evoter.genome.deciding import claim_order, row_decider
from evoter.kernels.layout import IN_ORDER, POLL
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from evoter.rules.modes import mode_of
from tasks import MIXED, random_ruleset


@pytest.mark.parametrize("mode", Mode)
def test_rules_take_rows_in_the_order_of_precedence(mode: Mode) -> None:
    rng = Random(str(mode))
    rulesets = [random_ruleset(rng, MIXED, mode) for _ in range(50)]
    for ruleset, order in zip(rulesets, claim_order(encode(rulesets, MIXED), mode), strict=True):

        def key(index: int) -> float:
            rule = ruleset.rules[index]  # noqa: B023 - called before the next turn
            return float(mode_of(mode).precedence(rule.action, rule.certainty, ruleset.default))  # noqa: B023

        n_rules = len(ruleset.rules)
        assert order[:n_rules].tolist() == sorted(range(n_rules), key=key)
        assert order[n_rules:].tolist() == list(range(n_rules, len(order)))


@pytest.mark.parametrize("mode", Mode)
def test_every_mode_has_code(mode: Mode) -> None:
    assert row_decider(mode).code in (IN_ORDER, POLL)


def test_the_surest_rules_come_first_under_hardmax_only() -> None:
    rule = Rule([Condition(Term("a"), ">", 0.5)], "yes")
    rules = [replace(rule, certainty=certainty) for certainty in (0.5, 0.9, 0.5, 1.0, 0.9)]
    population = encode([RuleSet(rules, "no", MIXED)], MIXED)
    assert claim_order(population, Mode.HARDMAX)[0].tolist() == [3, 1, 4, 0, 2]
    for mode in (Mode.FIRST, Mode.VOTE, Mode.ALL):
        assert claim_order(population, mode)[0].tolist() == [0, 1, 2, 3, 4]
