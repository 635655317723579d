"""The arrays that kernels see: rows of data, antecedents, populations, and the grammar they are drawn from."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

WORD: Final = 64
"""Rows per word of a mask."""

# Feature kinds.
NUMERIC: Final = 0
CATEGORICAL: Final = 1
BOOLEAN: Final = 2

# Codes of the procedures by which kernels decide a row; `evoter.genome.deciding` says which one a mode uses.
IN_ORDER: Final = 0
POLL: Final = 1


class Rows(NamedTuple):
    """The data points, feature by feature, so that a lag is an offset and costs nothing.

    Row `r` of feature `f` at lag `k` is `values[starts[f] - k * lag_stride + r]`; a `lag_stride` of 0 says that rows
    have no history. The number of rows is padded to whole words; `valid` has a bit for each real row. `history` counts
    the steps before each row; for tables it is empty.

    Rows that are different time points of one series share its values: `steps[r]` replaces `r` then, and values before
    a row's history belong to other rows. Where `steps` is empty, each row has its values to itself, NaN before its
    history, which is consulted only by tests for missing with a lag.
    """

    values: Floats
    starts: Ints
    lag_stride: int
    valid: Words
    history: Ints
    steps: Ints
    lows: Floats
    spans: Floats
    scaled: NDArray[np.bool_]


# Columns of an antecedent's facts.
N_CONDITIONS: Final = 0
SERIAL: Final = 1
HASH: Final = 2
LAST_USED: Final = 3
SIZE: Final = 4
"""What the conditions of an antecedent count towards complexity, which is more than one for some forms."""
N_ANTECEDENT_FACTS: Final = 5


class Antecedents(NamedTuple):
    """A pool of immutable antecedents; a slot is free if its last use was before the present generation.

    Serial numbers are never reused, so that a cache can tell whether a slot still holds the antecedent that an entry is
    for.
    """

    facts: Ints
    codes: Ints
    numbers: Floats


# Columns of an individual's header; the third and fourth are the offspring's own.
N_RULES: Final = 0
DEFAULT: Final = 1
COMPLEXITY: Final = 2
N_HEADER: Final = 3
FIRST_NEW: Final = 2
N_NEW: Final = 3
N_OFFSPRING_HEADER: Final = 4

SLOT: Final = 0
ACTION: Final = 1
N_RULE_FACTS: Final = 2


class Population(NamedTuple):
    """Rule sets as arrays: per individual a header, a list of (antecedent slot, action) with certainties, a default.

    Few arrays, because each one that a kernel passes on costs time to compile and to call.
    """

    antecedents: Antecedents
    header: Ints
    rules: Ints
    certainties: Floats
    default_certainties: Floats

    @property
    def size(self) -> int:
        """The number of individuals."""
        return len(self.header)

    @property
    def max_rules(self) -> int:
        """The most rules that an individual can have."""
        return self.rules.shape[1]

    @property
    def n_rules(self) -> Ints:
        """The number of rules of each individual."""
        return self.header[:, N_RULES]

    @property
    def complexity(self) -> Ints:
        """What the conditions of each individual count, one or more for each."""
        return self.header[:, COMPLEXITY]

    @property
    def used_slots(self) -> Ints:
        """The antecedent slots of all rules of all individuals, one after the other."""
        return self.rules[np.arange(self.max_rules) < self.n_rules[:, None], SLOT]


# Columns of a grammar's features.
KIND: Final = 0
N_CATEGORIES: Final = 1
SCALED: Final = 2
MISSING: Final = 3
FIRST_CUT: Final = 4
LAST_CUT: Final = 5
FIRST_LEVEL: Final = 6
LAST_LEVEL: Final = 7
FIRST_PARTNER: Final = 8
LAST_PARTNER: Final = 9
N_FEATURE_FACTS: Final = 10

LOW: Final = 0
HIGH: Final = 1

# What rules for an action may test of a feature: anything, or only conditions that begin to hold as its value rises,
# or cease to hold, or do not depend on the value at all.
ANY_TREND: Final = 0
ONLY_RISING: Final = 1
ONLY_FALLING: Final = -1
NO_TREND: Final = 2


class Grammar(NamedTuple):
    """What conditions may be drawn: facts and ranges per feature, tables of constants, and the limits.

    A feature's *cuts* are short numbers between its neighbouring values, for comparisons of order; its *levels* are
    values themselves, for = and !=; its *partners* are the features it may be compared with, itself among them. The
    facts say where each of these begins and ends in `constants` and `partners`. `trends[feature, action]` says what
    rules for an action may test of a feature; where nothing is restricted, it is empty.
    """

    features: Ints
    ranges: Floats
    constants: Floats
    partners: Ints
    trends: Ints
    feature_cdf: Floats
    operator_cdf: Floats
    n_actions: int
    max_lag: int
    max_power: int
    comparison_rate: float
    sum_rate: float
    set_rate: float
    missing_rate: float
    uniform_constants: bool
    evolve_certainty: bool
    constant_coefficients: bool


# Rows of the frequencies of variation.
CROSSOVERS: Final = 0
MUTATION_LEVELS: Final = 1
RULESET_MUTATIONS: Final = 2
RULE_MUTATIONS: Final = 3
CONDITION_STRATEGIES: Final = 4
CONDITION_MUTATIONS: Final = 5


class Rates(NamedTuple):
    """How often each operator of variation is applied; the rows of `frequencies` are cumulative, padded with 1."""

    frequencies: Floats
    tournament_size: int
    crossover_rate: float
    mutation_rate: float
    max_initial_rules: int
    max_initial_conditions: int


class Offspring(NamedTuple):
    """Children as variation leaves them: a slot of -1 - k means new antecedent number k.

    The new antecedents of neighbouring children are adjacent in memory, which keeps them in the cache.
    """

    header: Ints
    rules: Ints
    certainties: Floats
    default_certainties: Floats
    new_n_conditions: Ints
    new_codes: Ints
    new_numbers: Floats


NO_RANK: Final = 65_535
"""The rank of a missing value."""


# Columns of the terms of a sum.
SUM_LEFT: Final = 0
SUM_LEFT_LAG: Final = 1
SUM_RIGHT: Final = 2
SUM_RIGHT_LAG: Final = 3
N_SUM_TERMS: Final = 4


class SumColumns(NamedTuple):
    """Weighted sums of two features that exact moves may cut: `left + coefficient * right`, chosen beforehand.

    The cuts of sum `s` are `constants[first_cuts[s]]` up to, and without, `constants[first_cuts[s + 1]]`, and
    `ranks[s, row]` counts those below the sum of a row, as for features.
    """

    terms: Ints
    coefficients: Floats
    first_cuts: Ints
    constants: Floats
    ranks: NDArray[np.uint16]


class Refinement(NamedTuple):
    """What exact moves need to know of a task whose score is a sum, over rows, of rewards for the action taken.

    `ranks` has the layout of the values of the rows: a number's rank counts the cuts of its feature below it, so that
    `value <= cut k` is `rank <= k`; a category is its own rank, one that the schema does not list comes after all
    others. `rewards[row, action]` is 0 for padding. A condition costs `price` in the same units, in
    which `temperature` says how large the losses are that moves may accept at first. `at_most` and `above`
    are the operators for the two sides of a cut, -1 if not wanted. A refined child takes `n_moves` moves, each the
    best of `n_tries` features or sums of them, drawn as often as the cumulative frequencies `feature_cdf` say.
    `action_sizes[action]` is what an action counts towards complexity: 1 for a linear term, else 0.
    """

    rows: Rows
    ranks: NDArray[np.uint16]
    sums: SumColumns
    rewards: Floats
    price: float
    temperature: float
    at_most: int
    above: int
    n_moves: int
    n_tries: int
    feature_cdf: Floats
    action_sizes: Floats
