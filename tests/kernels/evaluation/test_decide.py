"""Compiled decisions equal the interpreter's, on random and degenerate tables, in every mode."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains import random_schema
from evoter.genome.codec import encode
from evoter.kernels.layout import Floats, Ints
from evoter.kernels.threads import Threads
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.deciding import decide_columns
from evoter.problems.mask_cache import MASK_BUDGET
from evoter.rules.interpreter import Verdict, decide_table
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from evoter.rules.modes import Task, modes_for
from evoter.rules.schema import Feature, Schema
from laws import examples
from strategies import rows, rulesets
from tasks import as_columns, as_rows, random_columns, random_ruleset

BORDERS = [1, 63, 64, 65, 1000, 1023, 1024, 1025, 2049]
"""Numbers of rows around the ends of words and blocks."""

CLASSIFYING = modes_for(Task.CLASSIFICATION)


def check_table(ruleset: RuleSet, columns: Floats) -> None:
    verdict = decide_table(ruleset, as_rows(columns, ruleset.schema))
    decisions = decide_columns(ruleset, columns)
    n_rules = len(ruleset.rules)
    assert [ruleset.schema.actions[action] for action in decisions.actions] == list(verdict.actions)
    assert decisions.certainties.tolist() == [decision.certainty for decision in verdict.decisions]
    active = [tuple(np.flatnonzero(row).tolist()) for row in decisions.active]
    assert active == [decision.active for decision in verdict.decisions]
    deciders = [decision.deciding[0] if decision.deciding else n_rules for decision in verdict.decisions]
    assert decisions.deciders.tolist() == deciders
    assert tuple(decisions.active.sum(axis=0)) == verdict.times_applied
    assert (decisions.deciders == n_rules).sum() == verdict.default_applied


@examples(1_000)
@given(st.integers(0, 2**32), st.sampled_from(Mode))
def test_a_table_is_decided_as_the_interpreter_does(seed: int, mode: Mode) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    check_table(random_ruleset(rng, schema, mode), random_columns(rng, schema, rng.choice([0, 1, 2, 17, 64])))


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("n_rows", BORDERS)
def test_words_and_blocks_end_anywhere(mode: Mode, n_rows: int) -> None:
    for seed in range(4):
        rng = Random(f"{seed} {n_rows}")
        schema = random_schema(rng)
        check_table(random_ruleset(rng, schema, mode), random_columns(rng, schema, n_rows))


@examples(150)
@given(st.data())
def test_any_rule_set_of_the_language_is_decided_as_the_interpreter_does(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    check_table(ruleset, as_columns(data.draw(st.lists(rows(ruleset.schema), min_size=1, max_size=5)), ruleset.schema))


def test_without_rules_or_features_the_default_decides() -> None:
    check_table(RuleSet([], "stay", Schema([], ["go", "stay"]), 0.3), np.empty((0, 3)))


def test_a_scaled_range_may_be_wider_than_any_number() -> None:
    wide = [Feature(name, low=-1.7e308, high=1.7e308, scaled=True) for name in "xy"]
    schema = Schema([*wide, Feature("point", low=2, high=2, scaled=True)], ["go", "stay"])
    rules = [
        Rule([Condition(Term("x"), operator, Term(other, power=2))], "go")
        for operator in ("<", ">=", "!=", "=")
        for other in ("y", "point")
    ]
    values = [-1.7e308, -1.0, 0.0, 2.0, 1.7e308, float("inf"), -float("inf"), float("nan")]
    points = np.array([[x, y, z] for x in values for y in values for z in (2.0, 3.0, float("nan"))]).T
    check_table(RuleSet(rules, "stay", schema, mode=Mode.ALL), points)


def test_the_default_can_be_an_action_that_no_rule_has() -> None:
    schema = Schema([Feature("x")], ["a", "b", "c"])
    for mode in Mode:
        ruleset = RuleSet([Rule([Condition(Term("x"), ">", 0)], "a", 0.2)], "c", schema, 0.9, mode)
        check_table(ruleset, np.array([[-1.0, 1.0]]))


def weighted_cost(verdict: Verdict, schema: Schema, classes: Ints, weights: Floats, costs: Floats) -> float:
    """Add up the costs row by row."""
    predicted = [schema.actions.index(action) for action in verdict.actions]
    total = sum(float(w) * float(costs[c, p]) for w, c, p in zip(weights, classes, predicted, strict=True))
    return total / float(weights.sum())


@examples(300)
@given(
    st.integers(0, 2**32), st.sampled_from(CLASSIFYING), st.sampled_from([1, 100, 5_000, MASK_BUDGET]), st.booleans()
)
def test_populations_are_counted_as_the_interpreter_does(seed: int, mode: Mode, budget: int, weighted: bool) -> None:
    """With any budget for masks, rows of any weight, classes of any weight, and classes without rows."""
    rng = Random(seed)
    schema = random_schema(rng)
    n_classes, n_rows = len(schema.actions), rng.choice([1, 30, 70, 150])
    population = [random_ruleset(rng, schema, mode) for _ in range(rng.randint(1, 5))]
    columns = random_columns(rng, schema, n_rows)
    classes = np.array([rng.randrange(rng.randint(1, n_classes)) for _ in range(n_rows)])
    sample_weight = np.array([rng.choice([0.5, 1.0, 2.0, 0.1]) for _ in range(n_rows)]) if weighted else None
    class_weight = np.array([rng.choice([0.25, 1.0, 3.0]) for _ in range(n_classes)]) if weighted else None
    costs = np.array([[rng.choice([0.0, 1.0, 5.0]) for _ in range(n_classes)] for _ in range(n_classes)])
    problem = ClassificationProblem(
        schema,
        columns,
        classes,
        measure=costs,
        sample_weight=sample_weight,
        class_weight=class_weight,
        mode=mode,
        mask_budget=budget,
    )
    weights = problem.sample_weight * (1.0 if class_weight is None else class_weight[classes])
    encoded = encode(population, schema)
    verdicts = [decide_table(ruleset, as_rows(columns, schema)) for ruleset in population]
    for _ in range(2):  # the second time from the cache
        evaluation = problem.evaluate(encoded, Threads(1))
        for i, verdict in enumerate(verdicts):
            n = len(verdict.times_applied)
            assert tuple(evaluation.times_applied[i, :n]) == verdict.times_applied
            assert tuple(evaluation.times_decided[i, :n]) == verdict.times_decided
            assert evaluation.default_applied[i] == verdict.default_applied
            cost = weighted_cost(verdict, schema, classes, weights, costs)
            assert evaluation.scores[i, 0] == pytest.approx(cost, rel=1e-12, abs=1e-12)
            predicted, certainties = problem.predict(encoded, i, Threads(1))
            assert [schema.actions[action] for action in predicted] == list(verdict.actions)
            assert certainties.tolist() == [decision.certainty for decision in verdict.decisions]


@examples(100)
@given(st.integers(0, 2**32), st.sampled_from(CLASSIFYING), st.sampled_from([1, MASK_BUDGET]))
def test_certainties_enter_the_log_loss(seed: int, mode: Mode, budget: int) -> None:
    """A decision of certainty p gives its action the probability p and shares the rest among the other actions."""
    rng = Random(seed)
    schema = random_schema(rng)
    n_classes = len(schema.actions)
    ruleset = random_ruleset(rng, schema, mode)
    columns = random_columns(rng, schema, 70)
    classes = np.array([rng.randrange(n_classes) for _ in range(70)])
    problem = ClassificationProblem(schema, columns, classes, measure="log_loss", mode=mode, mask_budget=budget)
    score = problem.evaluate(encode([ruleset], schema), Threads(1)).scores[0, 0]
    losses = []
    for decision, c in zip(decide_table(ruleset, as_rows(columns, schema)).decisions, classes, strict=True):
        rest = (1 - decision.certainty) / max(n_classes - 1, 1)
        probability = decision.certainty if decision.action == schema.actions[c] else rest
        losses.append(-np.log(max(probability, 1e-15)))
    assert score == pytest.approx(np.mean(losses), rel=1e-9)


@examples(100)
@given(st.integers(0, 2**32), st.sampled_from(CLASSIFYING))
def test_accuracy_is_exact(seed: int, mode: Mode) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    ruleset = random_ruleset(rng, schema, mode)
    columns = random_columns(rng, schema, 97)
    classes = np.array([rng.randrange(len(schema.actions)) for _ in range(97)])
    problem = ClassificationProblem(schema, columns, classes, mode=mode)
    score = problem.evaluate(encode([ruleset], schema), Threads(1)).scores[0, 0]
    actions = decide_table(ruleset, as_rows(columns, schema)).actions
    assert score == sum(action == schema.actions[c] for action, c in zip(actions, classes, strict=True)) / 97
