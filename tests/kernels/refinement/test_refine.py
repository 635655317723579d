"""Refinement: valid children, the same on any number of threads, whose value is known exactly and does not fall."""

from collections.abc import Iterable
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.evolution.engine import Evolution
from evoter.evolution.settings import Settings
from evoter.genome.arrays import compact, empty_offspring, table_rows
from evoter.genome.codec import decode, encode
from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.conditions.codes import N_CODES
from evoter.kernels.layout import DEFAULT, N_RULES, Floats, Grammar, Ints, Offspring, Population, Refinement, Words
from evoter.kernels.refinement.draft import DOES, LENGTH, Draft, load_draft, settle_actions, store_draft
from evoter.kernels.refinement.refine import _move, refine
from evoter.kernels.refinement.sweep import N_FOUND, N_RATIOS
from evoter.kernels.threads import Threads
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules.model import RuleSet
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples
from refining import (
    PLAIN_OPERATORS,
    STRICT_OPERATORS,
    bits_of,
    children_of,
    empty_draft,
    grammar_of,
    held,
    random_rewards,
    refinement_of,
    reward_of,
)
from tasks import MIXED, SMALL, decoded, mixed_columns, mixed_problem, plain_problem

REFINING = SMALL.replace(n_refined=20, refinement_interval=1, refinement_moves=60, refinement_tries=8)
"""Half of the children of every generation are refined."""


@allocating_kernel
def load(draft: Draft, population: Population, i: int, grammar: Grammar, refinement: Refinement, sums: Floats) -> float:
    load_draft(draft, population, i, refinement.rows)
    return settle_actions(draft, grammar, refinement, sums)


@allocating_kernel
def move(
    state: Words, grammar: Grammar, refinement: Refinement, draft: Draft, value: float, heat: float, scratch: Floats,
    sums: Floats, kept: Ints, trial: Ints,
) -> float:  # fmt: skip
    return _move(state, grammar, refinement, draft, value, heat, scratch, sums, kept, trial)


@allocating_kernel
def store(draft: Draft, offspring: Offspring, i: int) -> None:
    store_draft(draft, offspring, i)


def random_parents(problem: ClassificationProblem, settings: Settings, seed: int) -> list[RuleSet]:
    evolution = Evolution(problem, settings.replace(n_refined=0), seed=seed)
    evolution.step()
    return decoded(evolution, evolution.population)


def value_of(draft: Draft, rewards: Floats, n_rows: int) -> float:
    """The sum of the rewards for what a draft's masks decide."""
    actions = np.full(n_rows, draft.header[DEFAULT])
    for k in reversed(range(draft.header[N_RULES])):
        actions[bits_of(draft.masks[k])[:n_rows]] = draft.rules[k, DOES]
    return float(rewards[np.arange(n_rows), actions].sum())


@examples(30)
@given(st.integers(0, 2**32), st.sampled_from([PLAIN_OPERATORS, STRICT_OPERATORS, (1.0,) * 6]))
def test_the_value_is_known_exactly_after_every_move(seed: int, operators: tuple[float, ...]) -> None:
    """Also while a hot draft wanders; its masks are those of its conditions, and nothing exceeds its place."""
    rng = Random(seed)
    n_rows, max_rules, max_conditions = rng.choice([5, 64, 150]), rng.randint(4, 8), rng.randint(3, 5)
    columns = mixed_columns(np.random.default_rng(seed), n_rows).round(1)
    grammar = grammar_of(MIXED, columns, operators=operators, comparison_rate=0.4)
    rewards = random_rewards(rng, n_rows, len(MIXED.actions))
    refinement = refinement_of(
        table_rows(columns, MIXED), grammar, rewards, price=rng.choice([0.0, 1.0, 5.0]), n_tries=rng.choice([1, 9])
    )
    parent = random_parents(mixed_problem(1), SMALL, seed)[0]
    draft = empty_draft(max_rules, max_conditions, len(refinement.rows.valid))
    sums = np.zeros(len(MIXED.actions))
    scratch = np.zeros(N_FOUND + max(N_RATIOS + 1, len(grammar.constants) + 1))
    state, kept, trial = np.array([seed], np.uint64), np.zeros(max_rules + 1, np.int64), np.zeros(N_CODES, np.int64)
    heat = rng.choice([0.0, 2.0, 20.0])
    value = load(draft, encode([parent], MIXED), 0, grammar, refinement, sums)
    assert value == value_of(draft, rewards, n_rows)
    for _ in range(60):
        value = move(state, grammar, refinement, draft, value, heat, scratch, sums, kept, trial)
        assert value == value_of(draft, rewards, n_rows)
        assert 0 <= draft.header[N_RULES] <= max_rules
        lengths = draft.rules[: draft.header[N_RULES], LENGTH]
        assert ((lengths >= 1) & (lengths <= max_conditions)).all()
    offspring = empty_offspring(1, max_rules, max_conditions)
    masks = draft.masks[: draft.header[N_RULES]].copy()
    store(draft, offspring, 0)
    child = decode(children_of(offspring), 0, MIXED)
    assert reward_of(child, columns, rewards) == value
    if len(child.rules) == len(masks):
        for rule, mask in zip(child.rules, masks, strict=True):
            assert (held(rule.conditions, MIXED, refinement.rows).all(axis=0) == bits_of(mask)).all()


def refined(
    parents: list[RuleSet], grammar: Grammar, refinement: Refinement, n_children: int, seed: int = 0, **sizes: int
) -> list[RuleSet]:
    """The children of parents that are drawn evenly."""
    schema = parents[0].schema
    offspring = empty_offspring(n_children, sizes.get("max_rules", 8), sizes.get("max_conditions", 5))
    population, ranks = encode(parents, schema), np.arange(len(parents))
    prices = np.full(n_children, refinement.price)
    refine(0, n_children, seed, 1, population, ranks, 1, grammar, refinement, offspring, 0, prices)
    children = children_of(offspring)
    return [decode(children, i, schema) for i in range(n_children)]


def shift(parent: RuleSet, child: RuleSet) -> tuple[int, int]:
    return len(child.rules) - len(parent.rules), child.n_conditions - parent.n_conditions


@pytest.mark.parametrize("price", [0.0, 1.0, 6.0])
@pytest.mark.parametrize("n_moves", [1, 30])
def test_a_cold_child_is_no_worse_than_its_parent(price: float, n_moves: int) -> None:
    """A single move is cold at any price; without a price all moves are."""
    columns = mixed_columns(np.random.default_rng(2), 150).round(1)
    grammar = grammar_of(MIXED, columns, comparison_rate=0.3)
    rewards = random_rewards(Random(3), 150, 3)
    refinement = refinement_of(table_rows(columns, MIXED), grammar, rewards, price=price, n_moves=n_moves, n_tries=9)
    shifts: set[tuple[int, int]] = set()
    for seed, parent in enumerate(random_parents(mixed_problem(2), SMALL, 3)[:12]):
        children = refined([parent], grammar, refinement, 10, seed)
        before = reward_of(parent, columns, rewards) - price * parent.n_conditions
        for child in children:
            after = reward_of(child, columns, rewards) - price * child.n_conditions
            assert after >= before or (n_moves > 1 and price > 0)
            shifts.add(shift(parent, child))
    assert len(shifts) > 5
    if n_moves == 1:
        rules = {-1, 0, 1} if price > 0 else {0, 1}
        assert {n for n, _ in shifts} >= rules, "rules come and, where conditions cost something, go"
        assert {n for r, n in shifts if r == 0} >= ({-1, 0, 1} if price > 0 else {0, 1}), "and so do conditions"


def test_dear_conditions_go_and_useful_ones_stay() -> None:
    schema = Schema([Feature("x", low=0, high=1), Feature("y", low=0, high=1)], ["no", "yes"])
    columns = np.array([np.linspace(0, 1, 64), np.random.default_rng(0).random(64)])
    rewards = np.eye(2)[(columns[0] > 0.5).astype(np.int64)]
    grammar = grammar_of(schema, columns)
    parents = random_parents(ClassificationProblem(schema, columns, np.zeros(64, np.int64)), SMALL, 1)
    for price, expected in ((0.5, 1), (100.0, 0)):
        refinement = refinement_of(table_rows(columns, schema), grammar, rewards, price=price, n_moves=400, n_tries=9)
        children = refined(parents, grammar, refinement, 30)
        best = max(children, key=lambda child: reward_of(child, columns, rewards) - price * child.n_conditions)
        assert best.n_conditions == expected
        assert reward_of(best, columns, rewards) == (64 if expected else 32)


def degenerate(columns: Floats, features: Iterable[Feature], **options: object) -> ClassificationProblem:
    classes = np.arange(columns.shape[1]) % 3
    return ClassificationProblem(Schema(tuple(features), MIXED.actions), columns, classes, **options)  # type: ignore[arg-type]


RNG = np.random.default_rng(5)
PROBLEMS = {
    "mixed": mixed_problem(3),
    "one value each": degenerate(
        np.array([[7.0] * 9, [1.0] * 9, [0.0] * 9]),
        [Feature("x"), Feature("wild", Kind.BOOLEAN), Feature("only", Kind.CATEGORICAL, categories=("one",))],
    ),
    "all missing": degenerate(np.full((2, 9), np.nan), [Feature("x", missing=True), Feature("y", missing=True)]),
    "one row": degenerate(np.array([[1.0], [2.0]]), [Feature("x"), Feature("y")]),
    "unlisted categories": degenerate(
        np.array([[-1.0, 0.0, 1.0] * 9, [-1.0] * 27]),
        [Feature(name, Kind.CATEGORICAL, categories=("u", "v")) for name in "xy"],
    ),
    "huge": degenerate(RNG.uniform(1, 9, (2, 99)) * 1e200, [Feature(name, low=0) for name in "xy"]),
    "infinite": degenerate(
        RNG.choice([np.inf, 0.0, 1.0, 2.0, np.nan], (2, 99)), [Feature(name, low=0, missing=True) for name in "xy"]
    ),
    "weights": degenerate(RNG.random((2, 99)), [Feature("x"), Feature("y")], sample_weight=RNG.random(99) * 3),
    "weights of 0": degenerate(
        RNG.random((2, 99)), [Feature("x"), Feature("y")], sample_weight=(np.arange(99) % 3 > 0) * 1.0,
        measure="balanced_accuracy",
    ),
    "weightless classes": degenerate(
        RNG.random((2, 99)), [Feature("x"), Feature("y")], class_weight=np.array([0.0, 1.0, 0.0])
    ),
    "classes": degenerate(RNG.random((2, 99)), [Feature("x"), Feature("y")], class_weight=np.array([1.0, 5.0, 0.1])),
    "balanced": degenerate(RNG.random((2, 99)), [Feature("x"), Feature("y")], measure="balanced_accuracy"),
    "costs": degenerate(RNG.random((2, 99)), [Feature("x"), Feature("y")], measure=RNG.uniform(-1, 9, (3, 3))),
    "targets": degenerate(
        RNG.random((2, 99)), [Feature("x"), Feature("y")], targets=RNG.dirichlet(np.ones(3), 99)
    ),
    "lags": mixed_problem(3, max_lag=2),
}  # fmt: skip
SETTINGS = {
    "small": REFINING,
    "one rule": REFINING.replace(max_rules=1),
    "one condition": REFINING.replace(max_conditions=1),
    "one of each": REFINING.replace(max_rules=1, max_conditions=1, parsimony=0.0),
    "two individuals": REFINING.replace(population_size=2, n_elites=1),
    "three individuals": REFINING.replace(population_size=3, n_elites=1),
    "one move": REFINING.replace(refinement_moves=1, refinement_tries=1),
    "dear": REFINING.replace(parsimony=10.0),
}


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_children_are_valid(problem: ClassificationProblem, settings: Settings) -> None:
    """Decoding checks them against their schema."""
    evolution = Evolution(problem, settings, seed=1)
    for _ in range(4):
        children = evolution.ask()
        for child in decoded(evolution, children):
            assert len(child.rules) <= settings.max_rules
            for rule in child.rules:
                assert 1 <= len(rule.conditions) <= settings.max_conditions
                assert len(set(rule.conditions)) == len(rule.conditions)
        evaluation = problem.evaluate(children, evolution.threads)
        assert np.isfinite(evaluation.scores).all()
        evolution.tell(children, evaluation)
        evolution.restore(evolution.state())


@pytest.mark.parametrize("soft", [False, True])
def test_the_same_bytes_on_any_number_of_threads(soft: bool) -> None:
    plain = mixed_problem(2)
    runs = []
    for n_threads in (1, 2, 3):
        pool = Threads(n_threads)
        targets = np.random.default_rng(3).dirichlet(np.ones(3), len(plain.classes)) if soft else None
        problem = ClassificationProblem(plain.schema, plain.columns, plain.classes, targets=targets)
        evolution = Evolution(problem, REFINING, seed=9, threads=pool)
        for _ in range(6):
            evolution.step()
        pool.close()
        population = compact(evolution.population)
        runs.append([array.tobytes() for array in (*population.antecedents, *population[1:], *evolution.evaluation)])
    assert runs[0] == runs[1] == runs[2]


def test_a_child_depends_on_its_number_alone() -> None:
    """Not on which others are made with it."""
    problem = plain_problem(1)
    grammar = problem.grammar(REFINING)
    refinement = problem.refinement(grammar, REFINING)
    assert refinement is not None
    parents = random_parents(problem, REFINING, 2)
    population, ranks = encode(parents, problem.schema), np.arange(len(parents))

    def children(pieces: list[tuple[int, int]], first_child: int, seed: int = 4) -> list[str]:
        offspring = empty_offspring(9, 8, 5)
        prices = refinement.price * np.linspace(0.0, 4.0, 9)
        for first, last in pieces:
            arguments = (population, ranks, 2, grammar, refinement, offspring, first_child, prices[first_child:])
            refine(first, last, seed, 3, *arguments)
        made = children_of(offspring)
        return [str(decode(made, i, problem.schema)) for i in range(9)]

    whole = children([(0, 9)], 0)
    assert children([(6, 9), (0, 2), (2, 6)], 0) == whole
    assert children([(0, 5)], 4)[4:] == whole[4:]
    assert len(set(whole)) > 1
    assert children([(0, 9)], 0, seed=5) != whole
