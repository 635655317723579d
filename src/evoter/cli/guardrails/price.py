"""What the guardrails of `evoter fit` cost: two fits compared on the same rows."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evoter.cli.fit.learning import Learnt
    from evoter.estimators.guardrail_price import GuardrailPrice


def price_between(guarded: "Learnt", unguarded: "Learnt") -> "GuardrailPrice":
    """Compare two fits on the test rows, or on the training rows if there are none."""
    from evoter.estimators.guardrail_price import GuardrailPrice
    from evoter.problems.classification.frequencies import OBJECTIVES

    metric = guarded.optimised.metric or "accuracy"
    pairs = [(each.optimised, each.unseen or each.seen) for each in (guarded, unguarded)]
    found = [optimised.train if guarded.unseen is None else optimised.test for optimised, _ in pairs]
    if None in found:  # a metric without a name, or not defined on these rows
        metric, found = "accuracy", [rows.accuracy for _, rows in pairs]
    n_rows, which = pairs[0][1].n_rows, "training" if guarded.unseen is None else "unseen"
    with_them, without = (float(score or 0.0) for score in found)
    maximise = metric not in OBJECTIVES or OBJECTIVES[metric].maximise
    where = f"on {n_rows:,} {which} rows"
    return GuardrailPrice(metric, with_them, without, where, maximise, unguarded.model.ruleset_)
