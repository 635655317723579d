"""What a form says about rising values is true: tried on random conditions of all forms and degenerate values."""

from random import Random

from domains import random_condition
from evoter.rules.condition import Operator, Term
from evoter.rules.forms.registry import form_of
from evoter.rules.forms.trend import Trend, mirrored, trend_in
from evoter.rules.interpreter import holds
from laws import n_cases
from tasks import MIXED, as_rows, random_columns


def test_conditions_change_as_their_trends_say() -> None:
    seen = set()
    for seed in range(n_cases(3000)):
        rng = Random(seed)
        condition = random_condition(rng, MIXED)
        trends = form_of(condition).trends(condition)
        assert len(trends) == len(condition.terms)
        names = {term.feature for term in condition.terms}
        rows = as_rows(random_columns(rng, MIXED, 12), MIXED)
        for name in names:
            own = {trend for term, trend in zip(condition.terms, trends, strict=True) if term.feature == name}
            seen |= own
            for row in rows:
                for other in rows:
                    here, there = row[name], other[name]
                    if (
                        here is None
                        or there is None
                        or isinstance(here, str)
                        or isinstance(there, str)
                        or here >= there
                    ):
                        continue
                    before, after = (holds(condition, [{**row, name: value}], MIXED) for value in (here, there))
                    if own <= {Trend.RISING, Trend.CONSTANT}:
                        assert after or not before
                    if own <= {Trend.FALLING, Trend.CONSTANT}:
                        assert before or not after
    assert seen == set(Trend)


def test_a_coefficient_below_0_turns_the_trend_round() -> None:
    for operator in Operator:
        assert trend_in(Term("x", -2.0), operator) is mirrored(trend_in(Term("x", 2.0), operator))
        assert trend_in(Term("x", 2.0, power=2), operator) is Trend.NONE
