"""Pruning keeps the meaning of a rule, and only informative conditions are accepted."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from coded import grammar_of, relation_of, truth_of, written
from domains import COMPARISONS, compare
from evoter.genome.codec import read_condition
from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.conditions.logic import DEPENDS, UNRELATED
from evoter.kernels.layout import Floats, Grammar, Ints
from evoter.kernels.variation.pruning import acceptable, prune_conditions
from evoter.rules.interpreter import holds
from evoter.rules.model import Condition, Operator, Term
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples


@allocating_kernel
def is_acceptable(grammar: Grammar, codes: Ints, numbers: Floats, candidate: int) -> bool:
    return acceptable(grammar, codes, numbers, len(codes), candidate)


@allocating_kernel
def pruned(grammar: Grammar, codes: Ints, numbers: Floats, n_pruned: int) -> int:
    return prune_conditions(grammar, codes, numbers, n_pruned, len(codes))


@examples(500)
@given(st.integers(0, 2**32))
def test_pruning_keeps_the_meaning(seed: int) -> None:
    """With the first conditions known to be in order, as crossover calls it."""
    rng = Random(seed)
    features = [
        Feature("x", low=0, high=5),
        Feature("y", low=0, high=5, missing=True),
        Feature("sort", Kind.CATEGORICAL, categories=("u", "v", "w"), missing=True),
    ]
    schema = Schema(features, ["go"], max_lag=1)
    grammar = grammar_of(schema)

    def evolved() -> Condition:
        name, lag = rng.choice(["x", "y", "sort"]), rng.randint(0, 1)
        if name != "x" and rng.random() < 0.2:
            return Condition(Term(name, lag=lag), rng.choice([Operator.IS_MISSING, Operator.IS_PRESENT]))
        if name == "sort":
            return compare(Term(name, lag=lag), rng.choice(["=", "!="]), rng.choice("uvw"))
        return compare(Term(name, lag=lag), rng.choice(COMPARISONS), float(rng.randint(-1, 6)))

    conditions: list[Condition] = []
    for _ in range(6):
        codes, numbers = written([*conditions, evolved()], schema)
        if len(conditions) < 3 and is_acceptable(grammar, codes, numbers, len(codes) - 1):
            conditions = [read_condition(*pair, schema) for pair in zip(codes, numbers, strict=True)]
    n_pruned = len(conditions)
    conditions += [evolved() for _ in range(rng.randint(1, 4))]
    codes, numbers = written(conditions, schema)
    n = pruned(grammar, codes, numbers, n_pruned)
    values: list[dict[str, float | str | None]] = [
        {"x": x, "y": y, "sort": sort} for x in (0.0, 2.5, 3.0) for y in (None, 3.0, 4.5) for sort in ("u", "w", None)
    ]
    histories = [[rng.choice(values), now] for now in values] + [[now] for now in values]
    left = [read_condition(codes[k], numbers[k], schema) for k in range(max(n, 0))]
    for history in histories:
        held = all(holds(condition, history, schema) for condition in conditions)
        assert held == (n >= 0 and all(holds(condition, history, schema) for condition in left))
    if n > 0:
        grid = range(n)
        assert all(
            relation_of(grammar, codes[[i, j]], numbers[[i, j]]) == UNRELATED for i in grid for j in grid if i < j
        )


def test_what_says_nothing_is_not_acceptable() -> None:
    schema = Schema([Feature("x", low=0, high=5), Feature("y", low=0, high=5, missing=True)], ["go"])
    grammar = grammar_of(schema)

    def accepted(*conditions: Condition) -> bool:
        return is_acceptable(grammar, *written(list(conditions), schema), len(conditions) - 1)

    assert accepted(compare("x", "<", 3.0))
    assert not accepted(compare("x", "<", 6.0)), "a tautology"
    assert not accepted(compare("x", ">", 5.0)), "a falsehood"
    assert not accepted(compare("x", "<", 3.0), compare("x", "<", 4.0)), "implied"
    assert not accepted(compare("x", "<", 4.0), compare("x", "<", 3.0)), "makes another redundant"
    assert not accepted(compare("x", "<", 3.0), compare("x", ">", 4.0)), "a contradiction"
    assert accepted(compare("x", ">", 3.0), compare("x", "<", 4.0))
    assert not accepted(compare("y", ">", 3.0), Condition(Term("y"), Operator.IS_PRESENT))
    assert not accepted(Condition(Term("x"), Operator.IS_MISSING)), "never missing"
    assert truth_of(grammar, *written([compare("x", "<", Term("y"))], schema)) == DEPENDS
