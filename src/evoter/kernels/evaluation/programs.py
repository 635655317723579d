"""Programs: a rule set as a flat list of comparisons, for a policy that decides millions of times in a row."""

from typing import Final, NamedTuple

import numpy as np

from evoter.kernels.compilation import inlined_kernel
from evoter.kernels.conditions.codes import (
    COMPARISON,
    GE,
    GT,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    LT,
    OPERATOR,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    THRESHOLD,
)
from evoter.kernels.conditions.meaning import (
    form_of,
    holds,
    longest_lag,
    reads_scaled_values,
    reads_second_feature,
    scaled,
)
from evoter.kernels.evaluation.policies import Past
from evoter.kernels.layout import N_CONDITIONS, N_RULES, SLOT, Floats, Ints, Population

BELOW: Final = 0
AT_MOST: Final = 1
OTHER: Final = 2
"""The kinds of steps; the last are conditions that are no comparisons of order between first powers."""


N_REMEMBERED: Final = 64
"""Number of observations after which memory is full: rules look back without wrapping around."""


class Programs(NamedTuple):
    """The conditions of every individual in the order of its rules, and the last observations that it remembers.

    The conditions of a rule end at its number in `ends`. One compares `weights[0] * memory[places[0]]` with
    `weights[1] * memory[places[1]]`, where a place is counted from that of the present observation; `conditions` says
    in which antecedent it is, and where in it. `seen` is room for one observation.
    """

    kinds: Ints
    places: Ints
    weights: Floats
    conditions: Ints
    ends: Ints
    memory: Floats
    seen: Floats


def empty_programs(population: Population, past: Past) -> Programs:
    """Return room for the programs of a population, so that each can be written when it is needed."""
    n, n_rules, n_features = population.size, population.rules.shape[1], len(past.lows)
    n_conditions = n_rules * population.antecedents.codes.shape[1]
    size = (len(past.ring) - 1 + N_REMEMBERED) * (2 * n_features + 1)
    return Programs(
        np.empty((n, n_conditions), np.int64),
        np.empty((n, n_conditions, 2), np.int64),
        np.empty((n, n_conditions, 2)),
        np.empty((n, n_conditions, 2), np.int64),
        np.empty((n, n_rules), np.int64),
        np.empty((n, size)),
        np.empty((n, n_features)),
    )


@inlined_kernel
def program_of(programs: Programs, i: int) -> Programs:
    """Return the program of one individual."""
    return Programs(
        programs.kinds[i],
        programs.places[i],
        programs.weights[i],
        programs.conditions[i],
        programs.ends[i],
        programs.memory[i],
        programs.seen[i],
    )


@inlined_kernel
def width(past: Past) -> int:
    """Return the length of an observation in memory: raw values, then scaled ones, then 1."""
    return 2 * len(past.lows) + 1


@inlined_kernel
def forget(program: Programs) -> int:
    """Begin an episode: nothing has been seen. Returns the place before that of the first observation."""
    program.memory[:] = np.nan
    return len(program.memory)


@inlined_kernel
def remember(program: Programs, past: Past, place: int) -> int:
    """Remember what is seen now, given the place of what was seen last, and return its place; rules look back from it.

    When memory is full, the last observations move to its beginning.
    """
    memory, n, row = program.memory, len(past.lows), width(past)
    place += row
    if place >= len(memory):
        kept = (len(past.ring) - 1) * row
        for k in range(kept):
            memory[k] = memory[len(memory) - kept + k]
        place = kept
    for feature in range(n):
        memory[place + feature] = program.seen[feature]
        if past.scaled[feature]:
            value = scaled(program.seen[feature], past.lows[feature], past.spans[feature])
            memory[place + n + feature] = value
    memory[place + 2 * n] = 1.0
    return place


@inlined_kernel
def _column(past: Past, form: int, feature: int) -> int:
    """Return where conditions of a form read a feature in an observation."""
    return feature + len(past.lows) if reads_scaled_values(form) and past.scaled[feature] else feature


@inlined_kernel
def write_program(population: Population, i: int, past: Past, program: Programs) -> None:
    """Write the conditions of an individual; a constant is compared as its product with the 1 in memory."""
    pool = population.antecedents
    n, row, k = len(past.lows), width(past), 0
    for r in range(population.header[i, N_RULES]):
        slot = population.rules[i, r, SLOT]
        for c in range(pool.facts[slot, N_CONDITIONS]):
            codes, numbers = pool.codes[slot, c], pool.numbers[slot, c]
            form, operator = form_of(codes), codes[OPERATOR]
            program.conditions[k, 0], program.conditions[k, 1] = slot, c
            compares = (form == THRESHOLD or (form == COMPARISON and codes[RIGHT_POWER] == 1)) and LT <= operator <= GE
            program.kinds[k] = OTHER
            if compares and codes[LEFT_POWER] == 1:
                first = 1 if operator == GT or operator == GE else 0  # a > b is b < a
                program.kinds[k] = BELOW if operator == LT or operator == GT else AT_MOST
                program.places[k, first] = _column(past, form, codes[LEFT]) - codes[LEFT_LAG] * row
                program.weights[k, first] = numbers[LEFT_COEFFICIENT]
                program.places[k, 1 - first] = 2 * n
                if reads_second_feature(codes):
                    program.places[k, 1 - first] = _column(past, form, codes[RIGHT]) - codes[RIGHT_LAG] * row
                program.weights[k, 1 - first] = numbers[RIGHT_NUMBER]
            k += 1
        program.ends[r] = k


@inlined_kernel
def _other_holds(past: Past, step: int, codes: Ints, numbers: Floats, memory: Floats, place: int) -> bool:
    """Tell whether a condition of any form holds; a lag that reaches before the beginning makes it false."""
    if longest_lag(codes) > step:
        return False
    form, row = form_of(codes), width(past)
    first = memory[place + _column(past, form, codes[LEFT]) - codes[LEFT_LAG] * row]
    second = first
    if reads_second_feature(codes):
        second = memory[place + _column(past, form, codes[RIGHT]) - codes[RIGHT_LAG] * row]
    return holds(form, codes, numbers, first, second)


@inlined_kernel
def rule_holds(population: Population, past: Past, program: Programs, r: int, step: int, place: int) -> bool:
    """Tell whether all conditions of a rule hold now.

    Memory is NaN before the beginning of an episode, which makes all comparisons false that look back so far.
    """
    memory, pool = program.memory, population.antecedents
    for k in range(program.ends[r - 1] if r > 0 else 0, program.ends[r]):
        kind = program.kinds[k]
        if kind == OTHER:
            slot, c = program.conditions[k]
            if not _other_holds(past, step, pool.codes[slot, c], pool.numbers[slot, c], memory, place):
                return False
            continue
        left = program.weights[k, 0] * memory[place + program.places[k, 0]]
        right = program.weights[k, 1] * memory[place + program.places[k, 1]]
        if not (left < right or (kind == AT_MOST and left == right)):
            return False
    return True
