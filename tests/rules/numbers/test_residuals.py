"""Residuals: what makes no sense is refused."""

import pytest

from evoter.rules.errors import RuleError
from evoter.rules.numbers.residuals import Residuals, check_residuals


def test_intervals_reach_from_below_to_above() -> None:
    assert Residuals(5, 1, 2, 0.5, 0.8).interval(10.0) == (9.0, 12.0)


@pytest.mark.parametrize("wrong", [{"cases": -1}, {"below": -1.0}, {"above": float("inf")}, {"level": 1.0}])
def test_what_is_no_residual_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(RuleError, match="residuals"):
        Residuals(**({"cases": 5, "below": 1.0, "above": 2.0, "error": 0.5} | wrong))  # type: ignore[arg-type]


def test_there_is_one_for_each_rule() -> None:
    one = Residuals(5, 1.0, 2.0, 0.5)
    check_residuals([], 3, is_numeric=False)
    check_residuals([one, one], 1, is_numeric=True)
    with pytest.raises(RuleError, match="must be one for each"):
        check_residuals([one], 1, is_numeric=True)
    with pytest.raises(RuleError, match="other actions"):
        check_residuals([one, one], 1, is_numeric=False)
