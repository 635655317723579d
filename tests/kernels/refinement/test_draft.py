"""Drafts: masks, lists of rows and gains are what the interpreter says of the rule set, and of it without a rule."""

from random import Random
from typing import NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from domains import random_schema
from evoter.genome.arrays import empty_offspring, table_rows
from evoter.genome.codec import decode, encode
from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.layout import DEFAULT, N_RULES, Floats, Grammar, Offspring, Population, Refinement, Rows, Words
from evoter.kernels.refinement.draft import (
    DOES,
    LENGTH,
    Draft,
    collect,
    fill_mask,
    gain_of_rule,
    gain_within,
    load_draft,
    move_rule,
    row_of_lowest_bit,
    settle_actions,
    store_draft,
    weigh,
)
from evoter.rules.interpreter import decide_table, is_active
from evoter.rules.model import Mode, Rule, RuleSet
from laws import examples
from refining import actions_of, bits_of, children_of, empty_draft, grammar_of, random_rewards, refinement_of, reward_of
from tasks import as_rows, random_columns, random_ruleset

MAX_RULES, MAX_CONDITIONS = 7, 4


@allocating_kernel
def load(draft: Draft, population: Population, i: int, rows: Rows) -> None:
    load_draft(draft, population, i, rows)


@allocating_kernel
def store(draft: Draft, offspring: Offspring, i: int) -> None:
    store_draft(draft, offspring, i)


@allocating_kernel
def mask_without(draft: Draft, rows: Rows, k: int, without: int, mask: Words) -> None:
    fill_mask(draft, rows, k, without, mask)


@allocating_kernel
def move(draft: Draft, origin: int, target: int) -> None:
    move_rule(draft, origin, target)


@allocating_kernel
def collected(draft: Draft, mask: Words, before: int, after: int) -> int:
    return collect(draft, mask, before, after)


@allocating_kernel
def weighed(draft: Draft, refinement: Refinement, n: int, action: int) -> int:
    return weigh(draft, refinement, n, action)


@allocating_kernel
def gained(draft: Draft, mask: Words, n: int) -> float:
    return gain_within(draft, mask, n)


@allocating_kernel
def gained_by_rule(draft: Draft, refinement: Refinement, k: int, n: int) -> float:
    return gain_of_rule(draft, refinement, k, n)


@allocating_kernel
def settled(draft: Draft, grammar: Grammar, refinement: Refinement, sums: Floats) -> float:
    return settle_actions(draft, grammar, refinement, sums)


@allocating_kernel
def lowest_row(word: np.uint64, w: int) -> int:
    return row_of_lowest_bit(word, w)


class Case(NamedTuple):
    """A rule set, laid open on a table with rewards."""

    rng: Random
    ruleset: RuleSet
    columns: Floats
    rewards: Floats
    grammar: Grammar
    refinement: Refinement
    draft: Draft

    @property
    def n_rows(self) -> int:
        return int(self.columns.shape[1])

    def random_mask(self) -> Words:
        """Some of the rows."""
        bits = np.array([self.rng.random() < 0.5 for _ in range(64 * len(self.draft.mask))])
        bits[self.n_rows :] = False
        return np.packbits(bits, bitorder="little").view(np.uint64)


def random_case(seed: int) -> Case:
    rng = Random(seed)
    schema = random_schema(rng)
    ruleset = random_ruleset(rng, schema, Mode.FIRST)
    columns = random_columns(rng, schema, rng.choice([1, 10, 64, 70]))
    rows = table_rows(columns, schema)
    rewards = random_rewards(rng, columns.shape[1], len(schema.actions))
    draft = empty_draft(MAX_RULES, MAX_CONDITIONS, len(rows.valid))
    load(draft, encode([ruleset], schema), 0, rows)
    grammar = grammar_of(schema, columns)
    return Case(rng, ruleset, columns, rewards, grammar, refinement_of(rows, grammar, rewards), draft)


cases = st.integers(0, 2**32).map(random_case)


@given(st.integers(1, 2**64 - 1), st.integers(0, 5))
def test_the_lowest_bit_of_a_word_is_a_row(word: int, w: int) -> None:
    assert lowest_row(np.uint64(word), w) == 64 * w + (word & -word).bit_length() - 1


@examples(200)
@given(cases)
def test_a_loaded_rule_set_holds_where_the_interpreter_says(case: Case) -> None:
    draft, ruleset = case.draft, case.ruleset
    assert draft.header[N_RULES] == len(ruleset.rules)
    assert ruleset.schema.actions[draft.header[DEFAULT]] == ruleset.default
    rows = as_rows(case.columns, ruleset.schema)
    for k, rule in enumerate(ruleset.rules):
        assert draft.rules[k, LENGTH] == len(rule.conditions)
        assert ruleset.schema.actions[draft.rules[k, DOES]] == rule.action
        expected = [is_active(rule, [row], ruleset.schema) for row in rows]
        bits = bits_of(draft.masks[k])
        assert bits[: case.n_rows].tolist() == expected
        assert not bits[case.n_rows :].any(), "padding never holds"


@examples(100)
@given(cases)
def test_masks_without_a_condition(case: Case) -> None:
    rows = as_rows(case.columns, case.ruleset.schema)
    for k, rule in enumerate(case.ruleset.rules):
        place = case.rng.randrange(len(rule.conditions))
        others = rule.conditions[:place] + rule.conditions[place + 1 :]
        mask_without(case.draft, case.refinement.rows, k, place, case.draft.mask)
        holds = bits_of(case.draft.mask)[: case.n_rows].tolist()
        if others:
            assert holds == [is_active(Rule(others, rule.action), [row], case.ruleset.schema) for row in rows]
        else:
            assert all(holds)


@examples(200)
@given(cases)
def test_a_stored_draft_is_the_rule_set(case: Case) -> None:
    """But for the order of conditions within rules, for certainties, and for repeated rules."""
    schema = case.ruleset.schema
    offspring = empty_offspring(3, MAX_RULES, MAX_CONDITIONS)
    offspring.certainties[:] = 0.5
    store(case.draft, offspring, 1)
    child = decode(children_of(offspring), 1, schema)
    outlines = dict.fromkeys((tuple(sorted(map(str, rule.conditions))), rule.action) for rule in case.ruleset.rules)
    assert [(tuple(sorted(map(str, rule.conditions))), rule.action) for rule in child.rules] == list(outlines)
    assert child.default == case.ruleset.default
    assert {child.default_certainty, *(rule.certainty for rule in child.rules)} == {1.0}


@examples(200)
@given(cases)
def test_rows_are_collected_with_what_follows(case: Case) -> None:
    """Those in the mask that earlier rules leave, each once, with the action that the later rules take."""
    n_rules = len(case.ruleset.rules)
    before = case.rng.randint(0, n_rules)
    after = case.rng.randint(before, n_rules)
    mask = case.random_mask()
    n = collected(case.draft, mask, before, after)
    earlier = case.ruleset.replace(rules=case.ruleset.rules[:before])
    decisions = decide_table(earlier, as_rows(case.columns, case.ruleset.schema)).decisions
    left = [decision.by_default for decision in decisions]
    expected = np.flatnonzero(bits_of(mask)[: case.n_rows] & left)
    order = np.argsort(case.draft.members[:n])
    assert case.draft.members[:n][order].tolist() == expected.tolist()
    follows = actions_of(case.ruleset.replace(rules=case.ruleset.rules[after:]), case.columns)
    assert case.draft.fallbacks[:n][order].tolist() == follows[expected].tolist()


@examples(200)
@given(cases)
def test_the_gain_of_a_rule_is_what_the_rule_set_loses_without_it(case: Case) -> None:
    whole = reward_of(case.ruleset, case.columns, case.rewards)
    for k in range(len(case.ruleset.rules)):
        others = case.ruleset.rules[:k] + case.ruleset.rules[k + 1 :]
        without = reward_of(case.ruleset.replace(rules=others), case.columns, case.rewards)
        for mask in (case.draft.masks[k], case.refinement.rows.valid):
            n = collected(case.draft, mask, k, k + 1)
            assert gained_by_rule(case.draft, case.refinement, k, n) == whole - without, "rows beside it count nothing"


@examples(200)
@given(cases)
def test_weighed_rows_gain_what_another_action_brings(case: Case) -> None:
    """A rule at any place, with any action and mask, brings the sum of the gains of its rows."""
    schema = case.ruleset.schema
    k, a = case.rng.randint(0, len(case.ruleset.rules)), case.rng.randrange(len(schema.actions))
    other = random_ruleset(case.rng, schema, Mode.FIRST).rules
    if not other:
        return
    rule = Rule(other[0].conditions, schema.actions[a])
    wider = case.ruleset.replace(rules=(*case.ruleset.rules[:k], rule, *case.ruleset.rules[k:]))
    n = weighed(case.draft, case.refinement, collected(case.draft, case.refinement.rows.valid, k, k), a)
    assert (case.draft.gains[:n] != 0).all()
    spare = empty_draft(MAX_RULES, MAX_CONDITIONS, len(case.draft.mask))
    load(spare, encode([RuleSet([rule], rule.action, schema)], schema), 0, case.refinement.rows)
    expected = reward_of(wider, case.columns, case.rewards) - reward_of(case.ruleset, case.columns, case.rewards)
    assert gained(case.draft, spare.masks[0], n) == expected


@examples(200)
@given(cases)
def test_settled_actions_are_the_best_for_the_rows_that_rules_decide(case: Case) -> None:
    schema, ruleset = case.ruleset.schema, case.ruleset
    total = settled(case.draft, case.grammar, case.refinement, np.empty(len(schema.actions)))
    actions = [*case.draft.rules[: len(ruleset.rules), DOES].tolist(), int(case.draft.header[DEFAULT])]
    rules = [Rule(rule.conditions, schema.actions[a]) for rule, a in zip(ruleset.rules, actions, strict=False)]
    after = ruleset.replace(rules=tuple(rules), default=schema.actions[actions[-1]])
    assert total == reward_of(after, case.columns, case.rewards)
    decisions = decide_table(ruleset, as_rows(case.columns, schema)).decisions
    deciders = np.array([decision.deciding[0] if decision.deciding else len(rules) for decision in decisions])
    before = [*(schema.actions.index(rule.action) for rule in ruleset.rules), schema.actions.index(ruleset.default)]
    for k, action in enumerate(actions):
        sums = case.rewards[: case.n_rows][deciders == k].sum(axis=0)
        assert sums[action] == sums.max()
        assert action == before[k] or sums[action] > sums[before[k]], "of equals, the present one stays"


@examples(50)
@given(cases)
def test_a_moved_rule_is_the_same_elsewhere(case: Case) -> None:
    draft = case.draft
    for k in range(len(case.ruleset.rules)):
        move(draft, k, MAX_RULES)
        length = draft.rules[k, LENGTH]
        assert draft.rules[MAX_RULES].tolist() == draft.rules[k].tolist()
        for array in (draft.codes, draft.numbers):
            assert array[MAX_RULES, :length].tolist() == array[k, :length].tolist()
        assert draft.masks[MAX_RULES].tolist() == draft.masks[k].tolist()
