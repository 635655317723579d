"""Creation at random: conditions, antecedents and rule sets drawn from the grammar (the paper's algorithm 1)."""

from evoter.kernels.compilation import kernel
from evoter.kernels.conditions import orient, sort_conditions
from evoter.kernels.layout import (
    CATEGORICAL,
    CONSTANT,
    EQ,
    FIRST_CUT,
    FIRST_LEVEL,
    FIRST_PARTNER,
    HIGH,
    IS_MISSING,
    IS_PRESENT,
    KIND,
    LAST_CUT,
    LAST_LEVEL,
    LAST_PARTNER,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    LOW,
    LT,
    MISSING,
    N_CATEGORIES,
    NE,
    NUMERIC,
    OPERATOR,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    Floats,
    Grammar,
    Ints,
    Words,
)
from evoter.kernels.random import below, choose, search, uniform
from evoter.kernels.variation.relations import acceptable

ATTEMPTS = 8
"""How often a random condition is drawn anew when it contradicts or repeats another of its rule."""


@kernel
def random_coefficient(state: Words) -> float:
    """Draw a number from the grid 0.01, 0.02 ... 1.00."""
    return float(1 + int(uniform(state) * 100.0)) / 100.0


@kernel
def constant_table(grammar: Grammar, feature: int, operator: int) -> tuple[int, int]:
    """Return where the constants for a numeric feature begin and end: its levels for = and !=, else its cuts."""
    facts = grammar.features[feature]
    if operator <= NE:
        return facts[FIRST_LEVEL], facts[LAST_LEVEL]
    return facts[FIRST_CUT], facts[LAST_CUT]


@kernel
def is_constant(grammar: Grammar, feature: int) -> bool:
    """Tell whether a feature takes a single value, so that only a test for missing says something about it."""
    facts = grammar.features[feature]
    if facts[KIND] != NUMERIC:
        return facts[N_CATEGORIES] < 2
    return facts[FIRST_CUT] == facts[LAST_CUT] and facts[LAST_LEVEL] - facts[FIRST_LEVEL] < 2


@kernel
def random_constant(state: Words, grammar: Grammar, feature: int, operator: int) -> float:
    """Draw a constant for a comparison of a feature with `operator`."""
    if grammar.features[feature, KIND] != NUMERIC:
        return float(below(state, grammar.features[feature, N_CATEGORIES]))
    first, last = constant_table(grammar, feature, operator)
    if first == last:
        return min(max(0.0, grammar.ranges[feature, LOW]), grammar.ranges[feature, HIGH])
    if grammar.uniform_constants:
        low, high = grammar.constants[first], grammar.constants[last - 1]
        return grammar.constants[first + nearest(grammar.constants[first:last], low + uniform(state) * (high - low))]
    return grammar.constants[first + below(state, last - first)]


@kernel
def nearest(table: Floats, value: float) -> int:
    """Return the place of the entry of a sorted table that is nearest to a value."""
    k = search(table, value)
    if k == len(table) or (k > 0 and value - table[k - 1] < table[k] - value):
        k -= 1
    return k


@kernel
def random_condition(state: Words, grammar: Grammar, codes: Ints, numbers: Floats) -> None:
    """Draw a condition into `codes` and `numbers`."""
    feature = choose(state, grammar.feature_cdf)
    codes[LEFT] = feature
    codes[LEFT_POWER] = 1
    codes[LEFT_LAG] = below(state, grammar.max_lag + 1)
    codes[RIGHT] = CONSTANT
    codes[RIGHT_POWER] = 1
    codes[RIGHT_LAG] = 0
    numbers[LEFT_COEFFICIENT] = 1.0
    numbers[RIGHT_NUMBER] = 0.0
    if grammar.features[feature, MISSING] and (is_constant(grammar, feature) or uniform(state) < grammar.missing_rate):
        codes[OPERATOR] = IS_MISSING if uniform(state) < 0.5 else IS_PRESENT
        return
    if grammar.features[feature, KIND] != NUMERIC:
        negated = grammar.features[feature, KIND] == CATEGORICAL and uniform(state) < 0.5
        codes[OPERATOR] = NE if negated else EQ
        numbers[RIGHT_NUMBER] = random_constant(state, grammar, feature, codes[OPERATOR])
        return
    codes[OPERATOR] = random_operator(state, grammar, feature)
    partner = random_partner(state, grammar, feature) if uniform(state) < grammar.comparison_rate else CONSTANT
    if partner != CONSTANT:
        codes[RIGHT] = partner
        codes[LEFT_POWER] = 1 + below(state, grammar.max_power)
        codes[RIGHT_POWER] = 1 + below(state, grammar.max_power)
        codes[RIGHT_LAG] = below(state, grammar.max_lag + 1)
        numbers[LEFT_COEFFICIENT] = random_coefficient(state)
        numbers[RIGHT_NUMBER] = random_coefficient(state)
        orient(codes, numbers)
    else:
        numbers[RIGHT_NUMBER] = random_constant(state, grammar, feature, codes[OPERATOR])


@kernel
def random_partner(state: Words, grammar: Grammar, feature: int) -> int:
    """Draw a feature to compare with; itself only where lags can tell the two apart; CONSTANT if there is none."""
    first, last = grammar.features[feature, FIRST_PARTNER], grammar.features[feature, LAST_PARTNER]
    least = 1 if grammar.max_lag > 0 else 2
    if last - first < least:
        return CONSTANT
    k = first + below(state, last - first)
    if grammar.partners[k] == feature and grammar.max_lag == 0:
        k = k + 1 if k + 1 < last else first
    return int(grammar.partners[k])


@kernel
def random_operator(state: Words, grammar: Grammar, feature: int) -> int:
    """Draw an operator for a numeric feature; = and != need a table of levels, the others a table of cuts."""
    operator = choose(state, grammar.operator_cdf)
    facts = grammar.features[feature]
    if operator <= NE and facts[FIRST_LEVEL] == facts[LAST_LEVEL]:
        return LT + int(uniform(state) * 4.0)
    if operator > NE and facts[FIRST_CUT] == facts[LAST_CUT]:
        return EQ if uniform(state) < 0.5 else NE
    return operator


@kernel
def add_random_condition(state: Words, grammar: Grammar, codes: Ints, numbers: Floats, n: int) -> bool:
    """Draw condition `n` of a rule that has `n` already; return whether an acceptable one was found."""
    for _ in range(ATTEMPTS):
        random_condition(state, grammar, codes[n], numbers[n])
        if acceptable(grammar, codes, numbers, n, n):
            return True
    return False


@kernel
def random_antecedent(state: Words, grammar: Grammar, max_conditions: int, codes: Ints, numbers: Floats) -> int:
    """Draw an antecedent of 1 to `max_conditions` conditions; return their number."""
    n = 1 + below(state, max_conditions)
    for k in range(n):
        if not add_random_condition(state, grammar, codes, numbers, k):
            n = max(k, 1)  # Where none is acceptable, the last one drawn stays.
            break
    sort_conditions(codes, numbers, n)
    return n


@kernel
def random_certainty(state: Words, grammar: Grammar) -> float:
    """Draw a certainty, which is 1 where the task does not evolve it."""
    return random_coefficient(state) if grammar.evolve_certainty else 1.0
