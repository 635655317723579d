"""Proofs about conditions within a schema's domain: always or never true, implied, contradictory, redundant.

The domain holds every double in a numeric feature's range (infinities where it is unbounded), every category and truth
value, a missing value where the schema allows one, and, for each lag above 0 on its own, too little history. All
claims hold for conditions as they are evaluated, rounding included; some truths about comparisons of two terms are
beyond these proofs.
"""

from collections.abc import Sequence
from enum import StrEnum

from evoter.rules.model import Condition
from evoter.rules.reasoning.facts import Facts
from evoter.rules.schema import Schema


class Truth(StrEnum):
    """Where a condition holds: everywhere in the domain, nowhere, or it depends (or could not be proved)."""

    ALWAYS = "always"
    NEVER = "never"
    DEPENDS = "depends"


def truth(condition: Condition, schema: Schema) -> Truth:
    """Tell whether a condition is a tautology or a falsehood.

    >>> from evoter.rules.model import Term
    >>> from evoter.rules.schema import Feature
    >>> schema = Schema([Feature("next.pipe.top.y", low=0, high=192)], actions=["Flap"])
    >>> truth(Condition(Term("next.pipe.top.y", 0.17), "<=", 84.48), schema)
    <Truth.ALWAYS: 'always'>
    """
    if Facts([], schema).entail(condition):
        return Truth.ALWAYS
    return Truth.DEPENDS if consistent([condition], schema) else Truth.NEVER


def implies(a: Condition, b: Condition, schema: Schema) -> bool:
    """Tell whether `b` certainly holds wherever `a` does.

    >>> from evoter.rules.model import Term
    >>> from evoter.rules.schema import Feature
    >>> schema = Schema([Feature("x", low=0, high=9), Feature("y", low=0, high=9)], actions=["go"])
    >>> near, far = Condition(Term("x", 0.5), "<", Term("y", 0.3)), Condition(Term("x", 0.4), "<", Term("y", 0.3))
    >>> implies(near, far, schema), implies(far, near, schema)
    (True, False)
    """
    return Facts([a], schema).entail(b)


def equivalent(a: Condition, b: Condition, schema: Schema) -> bool:
    """Tell whether two conditions certainly hold at the same points."""
    return implies(a, b, schema) and implies(b, a, schema)


def contradicts(a: Condition, b: Condition, schema: Schema) -> bool:
    """Tell whether two conditions certainly never hold at the same point."""
    return not consistent([a, b], schema)


def consistent(conditions: Sequence[Condition], schema: Schema) -> bool:
    """Tell whether conditions may hold together; False only if that is certainly impossible."""
    return not Facts(conditions, schema).impossible


def redundant(conditions: Sequence[Condition], schema: Schema) -> tuple[int, ...]:
    """Return the indices of conditions that can go, all at once, because the rest implies them.

    Of equivalent conditions the earlier stays, but a comparison with a constant rather than one of two terms.

    >>> from evoter.rules.model import Term
    >>> from evoter.rules.schema import Feature
    >>> schema = Schema([Feature("x", low=0, high=9), Feature("y", low=0, high=9)], actions=["go"])
    >>> redundant([Condition(Term("x"), "<", 5), Condition(Term("x"), "<", 3), Condition(Term("y"), ">", 5)], schema)
    (0,)
    """
    kept = dict(enumerate(conditions))
    for index in sorted(kept, key=lambda index: (len(kept[index].terms), index), reverse=True):
        condition = kept.pop(index)
        if not Facts((kept[other] for other in sorted(kept)), schema).entail(condition):
            kept[index] = condition
    return tuple(index for index in range(len(conditions)) if index not in kept)
