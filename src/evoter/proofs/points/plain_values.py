"""Counterexamples that people can read: other values with few digits at which a claim is refuted as well."""

import math
from collections.abc import Iterator

from evoter.proofs.cells import VariableCells
from evoter.proofs.points.witness import Witness, first_witness
from evoter.proofs.problem import Problem
from evoter.rules.reasoning.spans import ordinal
from evoter.rules.reasoning.steps import admitted_around

MOST_DECIMALS = 4
"""How many decimals a value may have that takes the place of another."""

LARGE = 1e6
"""Values that are larger than this are replaced by smaller ones if possible."""


def with_plain_values(problem: Problem, witness: Witness) -> Witness:
    """Return a point that refutes the claim with values that are easier to read, one after the other where possible.

    >>> from evoter import parse
    >>> from evoter.proofs import implies
    >>> print(implies(parse("a + b > 0.07 -> yes; Default -> no"), "a > 0 AND b > 0 AND b < 0.05", "yes"))
    refuted: always yes where a > 0 and b > 0 and b < 0.05; not for a = 0.01, b = 0.03, decided no
    """
    for index in problem.space.variables.values():
        value = witness.choice[index]
        if isinstance(value, float) and not _is_plain(value):
            cells = problem.space.variable(index)
            plainer = ({**witness.choice, index: other} for other in _plainer(value) if _is_admitted(cells, other))
            witness = first_witness(problem, plainer) or witness
    return witness


def _is_plain(x: float) -> bool:
    return abs(x) <= LARGE and x == round(x)


def _plainer(x: float) -> Iterator[float]:
    """Yield values with few digits, those near x first."""
    if abs(x) > LARGE:
        yield from (math.copysign(10.0**digits, x) for digits in (1, 2, 3, 6))
        return
    for digits in range(MOST_DECIMALS + 1):
        unit = 10.0**digits
        for whole in dict.fromkeys((round(x * unit), math.floor(x * unit), math.ceil(x * unit))):
            yield whole / unit


def _is_admitted(cells: VariableCells, x: float) -> bool:
    """Tell whether a feature may have a value."""
    if not any(low <= ordinal(x) <= high for low, high in cells.numbers):
        return False
    return cells.step is None or x in admitted_around(x, cells.step)
