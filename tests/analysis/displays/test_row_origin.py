"""What pictures say about their rows: what users say, else what models recognise, else that it is not stated."""

import math
from types import SimpleNamespace
from typing import Any

import pytest

from evoter.analysis.displays.row_origin import rows_text, training_share


def model(share: float) -> Any:
    return SimpleNamespace(training_share=lambda X: share)


def test_users_know_best() -> None:
    assert training_share("training", [model(0.0)], None) == 1.0
    assert training_share("unseen", [model(1.0)], None) == 0.0


def test_rows_that_any_model_was_trained_on_are_not_unseen() -> None:
    assert training_share("auto", [model(0.0), model(0.25), SimpleNamespace()], None) == 0.25
    assert math.isnan(training_share("auto", [SimpleNamespace()], None))
    assert math.isnan(training_share("auto", [model(0.0), model(math.nan)], None)), "one does not know"


@pytest.mark.parametrize(
    ("n_rows", "share", "text"),
    [
        (1, 0.0, "1 unseen row"),
        (1200, 1.0, "1,200 training rows"),
        (2000, 0.001, "2,000 rows, <1% of them equal to training rows"),
        (3, math.nan, "3 rows, training or unseen not stated"),
    ],
)
def test_rows_are_said_in_words(n_rows: int, share: float, text: str) -> None:
    assert rows_text(n_rows, share) == text
