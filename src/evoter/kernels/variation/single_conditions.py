"""Single conditions, form by form: how they are drawn from the grammar and changed at random (algorithms 1 and 6)."""

from typing import Final

import numpy as np

from evoter.kernels.compilation import inlined_kernel, kernel
from evoter.kernels.conditions.codes import (
    COMPARISON,
    CONSTANT,
    EQ,
    IN,
    IS_MISSING,
    IS_PRESENT,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    LT,
    MEMBERSHIP,
    NE,
    NOT_IN,
    OPERATOR,
    PRESENCE,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    SET_BITS,
    SUM,
    SUM_CONSTANT,
    THRESHOLD,
)
from evoter.kernels.conditions.identity import orient
from evoter.kernels.conditions.meaning import form_of, is_equality, is_membership, reads_second_feature, set_has
from evoter.kernels.layout import (
    CATEGORICAL,
    CONDITION_MUTATIONS,
    FIRST_CUT,
    FIRST_LEVEL,
    FIRST_PARTNER,
    KIND,
    LAST_CUT,
    LAST_LEVEL,
    LAST_PARTNER,
    MISSING,
    N_CATEGORIES,
    NUMERIC,
    Floats,
    Grammar,
    Ints,
    Rates,
    Words,
)
from evoter.kernels.random import below, choose, uniform
from evoter.kernels.variation.constants import (
    perturbed_coefficient,
    perturbed_constant,
    random_coefficient,
    random_constant,
    random_step,
)
from evoter.kernels.variation.sums import make_sum, perturb_sum, separate_lags

# Mutations of a condition, in the order of their frequencies.
PERTURBATION: Final = 0
CHANGE_OPERATOR: Final = 1
CHANGE_LAG: Final = 2
CHANGE_FEATURE: Final = 3

MIN_SET_CATEGORIES: Final = 4
"""Of fewer categories, every set is one category or all but one, for which there are = and !=."""


@kernel
def write_plain(codes: Ints, numbers: Floats, feature: int, lag: int, operator: int, constant: float) -> None:
    """Write a condition on one feature, without coefficient and power: against a constant, or a test for missing."""
    codes[LEFT], codes[LEFT_LAG], codes[LEFT_POWER] = feature, lag, 1
    codes[OPERATOR] = operator
    codes[RIGHT], codes[RIGHT_LAG], codes[RIGHT_POWER] = CONSTANT, 0, 1
    numbers[LEFT_COEFFICIENT], numbers[RIGHT_NUMBER], numbers[SUM_CONSTANT] = 1.0, constant, 0.0


@kernel
def random_condition(state: Words, grammar: Grammar, codes: Ints, numbers: Floats) -> None:
    """Draw a condition into `codes` and `numbers`."""
    feature = choose(state, grammar.feature_cdf)
    write_plain(codes, numbers, feature, below(state, grammar.max_lag + 1), EQ, 0.0)
    if grammar.features[feature, MISSING] and (is_constant(grammar, feature) or uniform(state) < grammar.missing_rate):
        codes[OPERATOR] = IS_MISSING if uniform(state) < 0.5 else IS_PRESENT
        return
    if grammar.features[feature, KIND] != NUMERIC:
        negated = grammar.features[feature, KIND] == CATEGORICAL and uniform(state) < 0.5
        if may_have_sets(grammar, feature) and uniform(state) < grammar.set_rate:
            codes[OPERATOR] = NOT_IN if negated else IN
            _random_set(state, grammar, feature, numbers)
            return
        codes[OPERATOR] = NE if negated else EQ
        numbers[RIGHT_NUMBER] = random_constant(state, grammar, feature, codes[OPERATOR])
        return
    if grammar.sum_rate > 0.0 and uniform(state) < grammar.sum_rate and make_sum(state, grammar, codes, numbers):
        codes[OPERATOR] = random_order(state, grammar)
        orient(codes, numbers)
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
        if has_constant_coefficient(grammar, codes):
            codes[LEFT_POWER] = 1 + below(state, grammar.max_power)
            numbers[LEFT_COEFFICIENT] = random_coefficient(state)


@kernel
def has_constant_coefficient(grammar: Grammar, codes: Ints) -> bool:
    """Tell whether a comparison with a constant has a coefficient and a power, as in the paper's grammar.

    Equalities have none: a constant is a value of the feature then, which hardly any multiple of one is.
    """
    is_numeric = grammar.features[codes[LEFT], KIND] == NUMERIC
    return grammar.constant_coefficients and is_numeric and not is_equality(codes[OPERATOR])


@kernel
def _perturb_coefficient(state: Words, grammar: Grammar, codes: Ints, numbers: Floats) -> None:
    """Change the coefficient, the power or the constant of a comparison with a constant."""
    drawn = uniform(state)
    if drawn < 0.25 and grammar.max_power > 1:
        codes[LEFT_POWER] = 1 + below(state, grammar.max_power)
    elif drawn < 0.5:
        numbers[LEFT_COEFFICIENT] = perturbed_coefficient(state, numbers[LEFT_COEFFICIENT])
    else:
        constant = numbers[RIGHT_NUMBER]
        numbers[RIGHT_NUMBER] = perturbed_constant(state, grammar, codes[LEFT], codes[OPERATOR], constant)


@inlined_kernel
def mutate_condition(state: Words, grammar: Grammar, rates: Rates, codes: Ints, numbers: Floats) -> None:
    """Change one thing about a condition."""
    mutation = choose(state, rates.frequencies[CONDITION_MUTATIONS])
    if mutation == CHANGE_LAG and grammar.max_lag == 0:
        mutation = PERTURBATION
    if mutation == CHANGE_LAG:
        side = RIGHT_LAG if reads_second_feature(codes) and uniform(state) < 0.5 else LEFT_LAG
        codes[side] = _changed_lag(state, grammar, codes[side])
        if form_of(codes) == SUM:
            separate_lags(grammar, codes)
    elif mutation == CHANGE_OPERATOR:
        _change_operator(state, grammar, codes, numbers)
    elif mutation == CHANGE_FEATURE:
        _change_feature(state, grammar, codes, numbers)
    elif mutation == PERTURBATION:
        _perturb(state, grammar, codes, numbers)
    orient(codes, numbers)


@kernel
def _perturb(state: Words, grammar: Grammar, codes: Ints, numbers: Floats) -> None:
    """Change a constant, or a coefficient or power where there are two features; turn a test for missing round."""
    form = form_of(codes)
    if form == PRESENCE:
        codes[OPERATOR] = _opposite(codes[OPERATOR])
    elif form == THRESHOLD and has_constant_coefficient(grammar, codes):
        _perturb_coefficient(state, grammar, codes, numbers)
    elif form == THRESHOLD:
        constant = numbers[RIGHT_NUMBER] / numbers[LEFT_COEFFICIENT]
        numbers[RIGHT_NUMBER] = perturbed_constant(state, grammar, codes[LEFT], codes[OPERATOR], constant)
        numbers[LEFT_COEFFICIENT] = 1.0
    elif form == COMPARISON:
        if grammar.max_power > 1 and uniform(state) < 0.25:
            codes[LEFT_POWER if uniform(state) < 0.5 else RIGHT_POWER] = 1 + below(state, grammar.max_power)
        else:
            side = LEFT_COEFFICIENT if uniform(state) < 0.5 else RIGHT_NUMBER
            numbers[side] = perturbed_coefficient(state, numbers[side])
    elif form == MEMBERSHIP:
        _perturb_set(state, grammar, codes, numbers)
    elif form == SUM:
        perturb_sum(state, grammar, codes, numbers)


@kernel
def may_have_sets(grammar: Grammar, feature: int) -> bool:
    """Tell whether sets of a feature's categories are drawn."""
    facts = grammar.features[feature]
    has_sets = MIN_SET_CATEGORIES <= facts[N_CATEGORIES] <= 2 * SET_BITS
    return grammar.set_rate > 0.0 and facts[KIND] == CATEGORICAL and has_sets


@kernel
def toggle_category(numbers: Floats, code: int) -> None:
    """Put a category into a set, or take it out."""
    column = LEFT_COEFFICIENT if code < SET_BITS else RIGHT_NUMBER
    bit = np.int64(1) << (code if code < SET_BITS else code - SET_BITS)
    numbers[column] = float(np.int64(numbers[column]) ^ bit)


@kernel
def set_size(numbers: Floats, n_categories: int) -> int:
    """Return the number of categories in a set."""
    size = 0
    for code in range(n_categories):
        size += set_has(numbers, code)
    return size


@kernel
def _random_set(state: Words, grammar: Grammar, feature: int, numbers: Floats) -> None:
    """Draw a set of two categories or more that leaves out two or more."""
    n = grammar.features[feature, N_CATEGORIES]
    numbers[LEFT_COEFFICIENT] = numbers[RIGHT_NUMBER] = 0.0
    wanted = 2 + below(state, n - 3)
    for code in range(n):  # each category is drawn with the same probability
        if below(state, n - code) < wanted:
            toggle_category(numbers, code)
            wanted -= 1


@kernel
def _perturb_set(state: Words, grammar: Grammar, codes: Ints, numbers: Floats) -> None:
    """Put a category into the set, or take one out."""
    n = grammar.features[codes[LEFT], N_CATEGORIES]
    toggle_category(numbers, below(state, n))
    settle_set(codes, numbers, n)


@kernel
def settle_set(codes: Ints, numbers: Floats, n_categories: int) -> None:
    """Turn a set of one category, or of all but one, into a comparison with that category."""
    size = set_size(numbers, n_categories)
    if size != 1 and size != n_categories - 1:
        return
    code = 0
    while set_has(numbers, code) != (size == 1):
        code += 1
    is_one = (codes[OPERATOR] == IN) == (size == 1)
    codes[OPERATOR] = EQ if is_one else NE
    numbers[LEFT_COEFFICIENT], numbers[RIGHT_NUMBER] = 1.0, float(code)


@kernel
def _change_operator(state: Words, grammar: Grammar, codes: Ints, numbers: Floats) -> None:
    """Draw another operator; a constant moves to the table that the operator reads."""
    form, operator, feature = form_of(codes), codes[OPERATOR], codes[LEFT]
    if form == PRESENCE or grammar.features[feature, KIND] != NUMERIC:
        codes[OPERATOR] = _opposite(operator)
        return
    if form == SUM:
        codes[OPERATOR] = random_order(state, grammar)
        return
    codes[OPERATOR] = random_operator(state, grammar, feature)
    if form == THRESHOLD and is_equality(operator) != is_equality(codes[OPERATOR]):
        numbers[RIGHT_NUMBER] = random_constant(state, grammar, feature, codes[OPERATOR])
        if grammar.constant_coefficients:
            codes[LEFT_POWER], numbers[LEFT_COEFFICIENT] = 1, 1.0


@kernel
def _opposite(operator: int) -> int:
    """Return the other test for missing, the other of = and !=, or the other test of membership."""
    if is_membership(operator):
        return IN + NOT_IN - operator
    return IS_MISSING + IS_PRESENT - operator if operator >= IS_MISSING else EQ + NE - operator


@kernel
def _change_feature(state: Words, grammar: Grammar, codes: Ints, numbers: Floats) -> None:
    """Read another feature: on either side where there are two, with a new constant otherwise."""
    form = form_of(codes)
    if (form != COMPARISON and form != SUM) or uniform(state) < 0.5:
        random_condition(state, grammar, codes, numbers)
        return
    if form == SUM:
        make_sum(state, grammar, codes, numbers)
        return
    partner = random_partner(state, grammar, codes[LEFT])
    if partner != CONSTANT:
        codes[RIGHT] = partner


@kernel
def random_order(state: Words, grammar: Grammar) -> int:
    """Draw one of < <= > >=, all alike where the grammar draws = or !=."""
    operator = choose(state, grammar.operator_cdf)
    return LT + below(state, 4) if is_equality(operator) else operator


@kernel
def random_operator(state: Words, grammar: Grammar, feature: int) -> int:
    """Draw an operator for a numeric feature; = and != need a table of levels, the others a table of cuts."""
    operator = choose(state, grammar.operator_cdf)
    facts = grammar.features[feature]
    if is_equality(operator) and facts[FIRST_LEVEL] == facts[LAST_LEVEL]:
        return LT + int(uniform(state) * 4.0)
    if not is_equality(operator) and facts[FIRST_CUT] == facts[LAST_CUT]:
        return EQ if uniform(state) < 0.5 else NE
    return operator


@kernel
def random_partner(state: Words, grammar: Grammar, feature: int) -> int:
    """Draw a feature to compare with, which is the feature itself only if there are lags; CONSTANT if there is none."""
    first, last = grammar.features[feature, FIRST_PARTNER], grammar.features[feature, LAST_PARTNER]
    least = 1 if grammar.max_lag > 0 else 2
    if last - first < least:
        return CONSTANT
    k = first + below(state, last - first)
    if grammar.partners[k] == feature and grammar.max_lag == 0:
        k = k + 1 if k + 1 < last else first
    return int(grammar.partners[k])


@kernel
def is_constant(grammar: Grammar, feature: int) -> bool:
    """Tell whether a feature has a single value, so that only a test for missing is informative."""
    facts = grammar.features[feature]
    if facts[KIND] != NUMERIC:
        return facts[N_CATEGORIES] < 2
    return facts[FIRST_CUT] == facts[LAST_CUT] and facts[LAST_LEVEL] - facts[FIRST_LEVEL] < 2


@kernel
def _changed_lag(state: Words, grammar: Grammar, lag: int) -> int:
    """Draw a new lag, half of the time near the old one: neighbouring times carry similar information."""
    if uniform(state) < 0.5:
        return below(state, grammar.max_lag + 1)
    return min(max(lag + random_step(state, float(grammar.max_lag + 1)), 0), grammar.max_lag)
