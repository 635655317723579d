"""Tests of shares as people read them."""

import math

from evoter.cli.shares import percent


def test_percentages() -> None:
    assert [percent(share) for share in (0.0, 1.0, 0.12345, None, math.nan)] == ["0.0%", "100.0%", "12.3%", "-", "-"]
