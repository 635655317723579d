"""Measures of groups that users name as objectives and constraints, such as "selection_rate_difference(yes)"."""

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from evoter.problems.classification.group_counts import GroupMeasure
from evoter.problems.classification.group_rates import RATES
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules.errors import did_you_mean
from evoter.rules.model import RuleSet
from evoter.tables.groups import Groups, read_groups

FEW_ROWS: Final = 30
"""Groups of fewer training rows are warned about: a constraint on them is kept or broken by chance."""

RECALL: Final = "recall"

EQUALIZED_ODDS: Final = "equalized_odds_difference"

_KINDS: Final = ("difference", "ratio")

_ROUNDING: Final = 1e-9
"""Sums of weights in another order differ by less."""

GROUP_MEASURES: Final = (
    *(f"{rate}_{kind}" for rate in RATES for kind in _KINDS),
    EQUALIZED_ODDS,
    RECALL,
)
"""What can be limited or traded off beside the secondary objectives; a class may follow in brackets."""

_NAMED = re.compile(r"(?P<name>\w+)(?:\((?P<action>.*)\))?", re.DOTALL)


class ConstraintWarning(UserWarning):
    """Rules that do not keep a constraint on the training rows, or a constraint on too few rows to mean much."""


def is_group_measure(name: object) -> bool:
    """Tell whether a name is that of a measure of groups, with or without a class.

    >>> is_group_measure("recall(malignant)"), is_group_measure("complexity")
    (True, False)
    """
    found = _NAMED.fullmatch(name) if isinstance(name, str) else None
    return found is not None and found["name"] in GROUP_MEASURES


def read_group_measure(name: str, actions: Sequence[str]) -> GroupMeasure:
    """Return the measure of groups that a name such as "recall(malignant)" stands for.

    >>> read_group_measure("recall(malignant)", ["benign", "malignant"])
    GroupMeasure(name='recall(malignant)', rates=('true_positive_rate',), code=1, kind='value')
    """
    found = _NAMED.fullmatch(name)
    assert found is not None
    measure, action = found["name"], found["action"]
    if action is None and measure == RECALL:
        raise ValueError(f"{name!r} does not say of which class: write 'recall({actions[-1]})'")
    if action is None and len(actions) > 2 and not measure.startswith("accuracy"):
        raise ValueError(
            f"{name!r} does not say which of {len(actions)} classes is the favourable one: write "
            f"'{measure}({actions[0]})', for example"
        )
    if action is not None and action not in actions:
        hint = did_you_mean(action, actions) or f"; the classes are {', '.join(map(repr, actions))}"
        raise ValueError(f"{name!r}: there is no class {action!r}{hint}")
    code = len(actions) - 1 if action is None else list(actions).index(action)
    if measure == RECALL:
        return GroupMeasure(name, ("true_positive_rate",), code, "value")
    if measure == EQUALIZED_ODDS:
        return GroupMeasure(name, ("true_positive_rate", "false_positive_rate"), code, "difference")
    rate, _, kind = measure.rpartition("_")
    return GroupMeasure(name, (rate,), code, kind)


def is_upper_limit(name: str) -> bool:
    """Tell whether a limit on a measure of groups is an upper one; those on ratios and recalls are lower ones.

    >>> is_upper_limit("accuracy_difference(yes)"), is_upper_limit("recall(yes)")
    (True, False)
    """
    return name.partition("(")[0].endswith("_difference")


def comparing_measures(names: Iterable[str]) -> list[str]:
    """Return the names of measures that compare groups, which a recall does not.

    >>> comparing_measures(["recall(yes)", "complexity", "accuracy_ratio"])
    ['accuracy_ratio']
    """
    return [name for name in names if is_group_measure(name) and not name.startswith(f"{RECALL}(")]


def read_fit_groups(protected: Any, X: Any, n_rows: int, names: Iterable[str]) -> list[Groups]:
    """Return the groups of the training rows that the named measures compare; refuse groups without such measures."""
    comparing = comparing_measures(names)
    if protected is None:
        if comparing:
            raise ValueError(
                f"{comparing[0]!r} compares groups of rows, and fit got none: name columns of X, or give their values, "
                "as fit(X, y, protected=...)"
            )
        return []
    if not comparing:
        raise ValueError(
            "protected has no effect on this fit, since no objective or constraint compares groups: leave it out, or "
            'limit a difference, such as constraints={"selection_rate_difference": 0.05}'
        )
    groups = read_groups(protected, X, None, n_rows)
    for each in groups:
        small = [(name, size) for name, size in zip(each.names, each.sizes.tolist(), strict=True) if size < FEW_ROWS]
        if small:
            listed = ", ".join(f"{name!r} ({size})" for name, size in small[:5])
            warnings.warn(
                f"{each.column!r} has groups of fewer than {FEW_ROWS} training rows: {listed}. A constraint on so few "
                "rows is kept or broken by chance; join them with others",
                ConstraintWarning,
                stacklevel=4,
            )
    return groups


def check_limits(problem: ClassificationProblem, ruleset: RuleSet, limits: Mapping[str, float]) -> dict[str, float]:
    """Return the value of each measure of groups on the training rows, and warn of limits that are not kept."""
    values = problem.group_values(ruleset)
    for name, limit in limits.items():
        if name not in values:
            continue
        at_least = read_group_measure(name, problem.schema.actions).objective.maximise
        excess = limit - values[name] if at_least else values[name] - limit
        if excess > _ROUNDING:
            wanted = f"at {'least' if at_least else 'most'} {limit:g}"
            warnings.warn(
                f"no rule set was found that keeps all constraints: {name} is {values[name]:.4g} on the training rows "
                f"and should be {wanted}, which it misses by {excess:.2g}. Allow more generations, rules or features, "
                "or loosen the constraint",
                ConstraintWarning,
                stacklevel=4,
            )
    return values
