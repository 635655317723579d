"""Tests of exact moves: gains from histograms are those of whole rule sets, and moves never lose without heat."""

import numpy as np
import pandas as pd
import pytest

from evoter.federated.exact_moves import Limits, Moving, Worth, settle_actions
from evoter.federated.messages import EXTEND, INSERT
from evoter.federated.populations import CodedRuleSets
from evoter.federated.problem import FederatedProblem
from evoter.federated.sums import draw_sums
from evoter.genome.codec import encode
from evoter.rules.condition import Sum
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse
from federated_tables import deal, make_problem, make_table

TABLE, LABELS = make_table(160, seed=1)
TEXTS = (
    "age > 70 and town = Bonn -> sick; dose > 9 -> sick; Default -> well",
    "dose is present and age <= 40 and smoker = true -> well; town != Celle -> sick; Default -> well",
    "Default -> well",
)
LIMITS = Limits(max_rules=6, max_conditions=4, sets=True, missing=True, n_sums=3)


@pytest.fixture(scope="module")
def problem() -> FederatedProblem:
    return make_problem(deal(TABLE, LABELS, np.arange(160) % 3))


def moving(problem: FederatedProblem, heat: float = 0.0) -> Moving:
    rewards = np.diag(np.full(2, 1.0 / 160))
    worth = Worth.of(rewards, temperature=heat)
    return Moving(problem._coordinator, problem.schema, problem.cuts, worth, LIMITS)


def n_right(problem: FederatedProblem, rulesets: list[RuleSet]) -> list[int]:
    tables = problem.tables(encode(rulesets, problem.schema), forget=False)
    actions = problem.schema.actions
    return [
        sum(
            int(row[actions.index(action)])
            for row, action in zip(table, [*(r.action for r in each.rules), each.default], strict=True)
        )
        for each, table in zip(rulesets, tables, strict=True)
    ]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(("price", "n_sums_seed"), [(0.0, 0), (0.01, 1)])
def test_every_candidate_gains_what_it_says(
    problem: FederatedProblem, text: str, price: float, n_sums_seed: int
) -> None:
    ruleset = parse(text, schema=problem.schema)
    mover = moving(problem)
    mover._price = price * mover._worth.unit
    grid = mover._with_sums(*draw_sums(problem.schema, problem.cuts, 3, np.random.default_rng(n_sums_seed)))
    unit = 2**24
    contexts = [(n, c) for n, rule in enumerate(ruleset.rules) for c in [EXTEND, *range(len(rule.conditions))]]
    contexts += [(n, INSERT) for n in range(len(ruleset.rules) + 1)]
    coded = CodedRuleSets.of_rulesets([ruleset], problem.schema, with_actions=True)
    (sent,) = coded.rulesets(problem.schema)
    asked = np.array([(0, *context) for context in contexts])
    histograms = mover._coordinator.moves(grid, coded, asked, mover._sums)
    (before,) = n_right(problem, [sent])
    present = 0.0
    n_candidates = 0
    for (rule, left_out), weighed in zip(contexts, mover.weigh(histograms), strict=True):
        if left_out == EXTEND:
            own = problem.schema.actions.index(sent.rules[rule].action)
            present = float(weighed.totals[own])
        for candidate in mover._candidates(sent, rule, left_out, weighed, present):
            (after,) = n_right(problem, [candidate.ruleset])
            paid = price * 160 * (candidate.ruleset.n_conditions - sent.n_conditions)
            if " in {" in str(candidate.ruleset):
                paid += price * 160  # a set is chosen freely among many: it must gain more than one category
            assert candidate.gain / unit == pytest.approx(after - before - paid, abs=1e-3), str(candidate.ruleset)
            n_candidates += 1
    assert n_candidates > 1


def test_without_heat_no_move_loses(problem: FederatedProblem) -> None:
    parents = [parse(text, schema=problem.schema) for text in TEXTS]
    mover = moving(problem)
    worth = [right - 0.8 * each.n_conditions for right, each in zip(n_right(problem, parents), parents, strict=True)]
    children = [each for seed in range(3) for each in mover.refine(parents, np.full(3, 0.005), 6, seed)]
    gained = [right - 0.8 * each.n_conditions for right, each in zip(n_right(problem, children), children, strict=True)]
    empty = n_right(problem, [parse("Default -> well", schema=problem.schema)])[0]
    for k, (value, child) in enumerate(zip(gained, children, strict=True)):
        assert value >= min(worth[k % 3], empty) - 1e-6
        assert len(child.rules) <= 6
        assert all(len(rule.conditions) <= 4 for rule in child.rules)
    assert max(gained) > max(worth)


def test_the_same_seed_gives_the_same_children(problem: FederatedProblem) -> None:
    parents = [parse(text, schema=problem.schema) for text in TEXTS]
    mover, prices = moving(problem, heat=0.02), np.full(3, 0.005)
    assert mover.refine(parents, prices, 4, 7) == mover.refine(parents, prices, 4, 7)


def test_a_sum_that_separates_the_classes_is_found() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.uniform(0, 10, 300).round(2), "b": rng.uniform(0, 100, 300).round(2)})
    labels = np.where(table["a"] + 0.1 * table["b"] > 10, "sick", "well")
    problem = make_problem(deal(table, labels, np.arange(300) % 2))
    parents = [parse("Default -> well", schema=problem.schema)]
    (child,) = moving(problem).refine(parents, np.full(1, 0.01), 12, 0)
    assert any(isinstance(condition.right, Sum) for rule in child.rules for condition in rule.conditions)
    assert n_right(problem, [child])[0] > 0.95 * 300
    plain = Moving(problem._coordinator, problem.schema, problem.cuts, moving(problem)._worth, Limits(6, 4, True, True))
    (without,) = plain.refine(parents, np.full(1, 0.01), 12, 0)
    assert not any(isinstance(condition.right, Sum) for rule in without.rules for condition in rule.conditions)


def test_actions_are_settled_by_rewards(problem: FederatedProblem) -> None:
    ruleset = parse("age > 30 -> sick; age > 20 -> well; Default -> sick", schema=problem.schema)
    table = np.array([[1, 9], [5, 5], [0, 0]])
    settled = settle_actions(ruleset, table, np.eye(2, dtype=np.int64))
    assert [rule.action for rule in settled.rules] == ["well", "well"]
    assert settled.default == "sick"
