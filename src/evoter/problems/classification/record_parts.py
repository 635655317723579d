"""Parts of the rows that a rule decided, told apart by further conditions: finer probabilities from the same rules.

A rule gives all rows it decides the same probabilities, although some lie deep inside it and others close to its
border. Its rows are therefore divided in two again and again, as long as the classes on both sides differ by more than
chance explains. The conditions read what the rules read already, with other constants, and decide nothing.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.genome.cuts import cuts_and_levels
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules.answers.track_record import RecordPart
from evoter.rules.condition import Condition, Operator, Sum, Term
from evoter.rules.logic import implies
from evoter.rules.model import RuleSet
from evoter.rules.modes import Procedure, mode_of
from evoter.rules.schema import Kind

MAX_PARTS: Final = 6
"""The number of parts that the rows of a rule are divided into at most."""

MIN_ROWS: Final = 10
"""The number of rows that a part has at least, each counted by its weight."""

MAX_CUTS: Final = 40
"""The number of constants that are tried for a feature or a sum, spaced evenly among its distinct values."""

INDEPENDENT_CUTS: Final = 8
"""About as many of the cuts of a feature are independent of each other: neighbouring ones divide rows alike."""

PRIOR_ROWS: Final = 2.0
"""The weight of the rule's own probabilities in those of a part, in rows."""

_MARGIN: Final = 1e-6
"""By how much the class that a rule decides is more probable than any other at least."""


class Measured(NamedTuple):
    """What conditions of the rules read, on all training rows: a term, or a sum of two."""

    left: Term
    added: Term | None
    values: Floats


class Division(NamedTuple):
    """A condition, the rows where it holds, and how much of the squared differences of the targets it explains."""

    gain: float
    condition: Condition
    holds: NDArray[np.bool_]


def divide_records(ruleset: RuleSet, problem: ClassificationProblem, of_rules: Floats) -> list[tuple[RecordPart, ...]]:
    """Divide the rows that each rule, and last the default, decided; `of_rules` are their class probabilities.

    No parts for a rule whose rows do not differ, and none where several rules decide together.
    """
    if mode_of(ruleset.mode).procedure is not Procedure.IN_ORDER:
        return [()] * len(of_rules)
    deciders = problem.decide(ruleset).deciders
    measured = list(_measured(ruleset, problem))
    actions = [*(rule.action for rule in ruleset.rules), ruleset.default]
    decided = [ruleset.schema.actions.index(action) for action in actions]
    return [
        _divide(problem, np.flatnonzero(deciders == number), measured, of_rules[number], decided[number])
        for number in range(len(of_rules))
    ]


def _measured(ruleset: RuleSet, problem: ClassificationProblem) -> Iterator[Measured]:
    """Yield each term and each sum that the rules read once."""
    seen = set()
    for condition in (condition for rule in ruleset.rules for condition in rule.conditions):
        if isinstance(condition.right, Term):
            continue
        added = condition.right.added if isinstance(condition.right, Sum) else None
        left = condition.left if added is not None else Term(condition.left.feature, lag=condition.left.lag)
        if (left, added) in seen:
            continue
        seen.add((left, added))
        values = left.coefficient * problem.values_of(left)
        yield Measured(left, added, values if added is None else values + added.coefficient * problem.values_of(added))


class _Part(NamedTuple):
    """Rows that the same conditions hold on and that no earlier part has, and the best division of them that pays."""

    conditions: tuple[Condition, ...]
    rows: Ints
    division: Division | None


def _divide(
    problem: ClassificationProblem, rows: Ints, measured: Sequence[Measured], of_rule: Floats, decided: int
) -> tuple[RecordPart, ...]:
    """Divide the part that gains most, again and again; rows where a condition holds come before the others."""

    def part(conditions: tuple[Condition, ...], some: Ints) -> _Part:
        return _Part(conditions, some, _division(problem, some, measured, decided))

    parts = [part((), rows)]
    while len(parts) < MAX_PARTS:
        gains = [-np.inf if each.division is None else each.division.gain for each in parts]
        number = int(np.argmax(gains))
        chosen, division = parts[number], parts[number].division
        if division is None:
            break
        stricter = tuple(each for each in chosen.conditions if not implies(division.condition, each, problem.schema))
        inside = part((*stricter, division.condition), chosen.rows[division.holds])
        parts[number : number + 1] = [inside, part(chosen.conditions, chosen.rows[~division.holds])]
    if len(parts) == 1:
        return ()
    return tuple(_record(problem, each, of_rule, decided) for each in parts)


def _division(
    problem: ClassificationProblem, rows: Ints, measured: Sequence[Measured], decided: int
) -> Division | None:
    """Return the best division of rows; None if it explains no more than chance does."""
    if problem.sample_weight[rows].sum() < 2 * MIN_ROWS:
        return None
    found = (_best_division(problem, rows, one, decided) for one in measured)
    best = max(filter(None, found), key=lambda division: division.gain, default=None)
    return best if best is not None and _pays(problem, rows, best, len(measured)) else None


def _pays(problem: ClassificationProblem, rows: Ints, division: Division, n_measured: int) -> bool:
    """Tell whether a division explains more than chance does, in view of how many were tried.

    For labels, the ratio of what it explains to what one degree of freedom explains by chance is about chi-squared.
    """
    table = problem.class_table(rows, division.holds.astype(np.int64), 2)
    within = problem.target_squares(rows) - float(_squares(table).sum())
    n_rows = problem.sample_weight[rows].sum()
    least = np.log(n_rows) + 2.0 * np.log(INDEPENDENT_CUTS * n_measured)
    return bool(division.gain * (n_rows - 2.0) > within * least)


def _best_division(problem: ClassificationProblem, rows: Ints, measured: Measured, decided: int) -> Division | None:
    """Return the condition on one term or sum that divides rows best; of two sides, the more certain one holds."""
    values = measured.values[rows]
    present = ~np.isnan(values)
    feature = problem.schema.feature(measured.left.feature)
    cuts = None
    if feature.kind is Kind.NUMERIC:
        cuts = cuts_and_levels(np.unique(values[present]), MAX_CUTS)[0]
        bins = np.searchsorted(cuts, values, side="left")
        n_bins = len(cuts) + 1
    else:
        n_bins = 2 if feature.kind is Kind.BOOLEAN else len(feature.categories)
        present &= values >= 0.0  # categories that the schema does not list
        bins = np.where(present, values, 0).astype(np.int64)
    bins = np.where(present, bins, n_bins)
    weights = problem.class_table(rows, bins, n_bins + 1)
    counts = np.bincount(bins, problem.sample_weight[rows], n_bins + 1)  # a row of weight 2 counts as two
    if n_bins < 2:
        return None
    order = np.arange(n_bins)
    if cuts is None:
        shares = np.divide(weights[:n_bins, decided], counts[:n_bins], out=np.zeros(n_bins), where=counts[:n_bins] > 0)
        order = np.argsort(-shares, kind="stable")
    below, n_below = np.cumsum(weights[order], axis=0)[:-1], np.cumsum(counts[order])[:-1]
    above, n_above = weights[:n_bins].sum(axis=0) - below, counts[:n_bins].sum() - n_below
    everything = weights.sum(axis=0)
    found: list[tuple[float, float, Ints]] = []
    for inside, n_inside, is_below in ((below, n_below, True), (above, n_above, False)):
        gains = _squares(inside) + _squares(everything - inside) - _squares(everything)
        gains[(n_inside < MIN_ROWS) | (counts.sum() - n_inside < MIN_ROWS)] = -np.inf
        cut = int(np.argmax(gains))
        if np.isfinite(gains[cut]):
            certainty = float(inside[cut].max() / inside[cut].sum()) if inside[cut].sum() > 0.0 else 0.0
            found.append((float(gains[cut]), certainty, order[: cut + 1] if is_below else order[cut + 1 :]))
    if not found:
        return None
    gain, _, members = max(found, key=lambda each: each[:2])
    return Division(gain, _condition(problem, measured, members, cuts), np.isin(bins, members))


def _condition(problem: ClassificationProblem, measured: Measured, members: Ints, cuts: Floats | None) -> Condition:
    """Return the condition that the values in some bins meet: those on one side of a cut, or some categories."""
    if cuts is None:
        feature = problem.schema.feature(measured.left.feature)
        if feature.kind is Kind.BOOLEAN:
            return Condition(measured.left, Operator.EQ, bool(members[0]))
        return Condition(measured.left, Operator.IN, sorted(feature.categories[code] for code in members))
    operator = Operator.LE if members[0] == 0 else Operator.GT
    cut = float(cuts[members[-1]] if members[0] == 0 else cuts[members[0] - 1])
    return Condition(measured.left, operator, cut if measured.added is None else Sum(measured.added, cut))


def _squares(weights: Floats) -> Floats:
    """Return the squared sums of class weights, by their totals: what the means of groups of rows explain."""
    totals = weights.sum(axis=-1)
    explained: Floats = np.divide((weights**2).sum(axis=-1), totals, out=np.zeros_like(totals), where=totals > 0.0)
    return explained


def _record(problem: ClassificationProblem, part: _Part, of_rule: Floats, decided: int) -> RecordPart:
    weights = problem.class_table(part.rows, np.zeros(len(part.rows), np.int64), 1)[0]
    labels = np.bincount(problem.classes[part.rows], minlength=len(of_rule))
    shares = part_probabilities(weights, float(problem.sample_weight[part.rows].sum()), of_rule, decided)
    return RecordPart(tuple(labels.tolist()), tuple(shares.tolist()), part.conditions)


def part_probabilities(weights: Floats, n_rows: float, of_rule: Floats, decided: int) -> Floats:
    """Return the class probabilities of a part from the weights of the classes of its rows, and how many these count.

    Those of the rule that decided them count a little as well, and alone if there are no such rows.
    """
    total = weights.sum()
    if not total > 0.0:
        return of_rule
    shares = (weights * (n_rows / total) + PRIOR_ROWS * of_rule) / (n_rows + PRIOR_ROWS)
    return _kept_on_top(shares, of_rule, decided)


def _kept_on_top(shares: Floats, of_rule: Floats, decided: int) -> Floats:
    """Move probabilities towards those of the rule, as little as it takes for the decided class to be on top.

    Where it is not on top for the rule itself, such as under costs, they stay as they are.
    """
    others = np.delete(np.arange(len(shares)), decided)
    ahead = of_rule[decided] - of_rule[others] - _MARGIN
    behind = shares[others] - shares[decided] + _MARGIN
    late = behind > 0.0
    if not late.any() or not (ahead > 0.0).all():
        return shares
    towards = float((behind[late] / (behind[late] + ahead[late])).max())
    mixed: Floats = (1.0 - towards) * shares + towards * of_rule
    return mixed
