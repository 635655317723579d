"""Histograms count every open row once."""

import pytest

from evoter.studio.errors import StudioError
from evoter.studio.session.session import Session


@pytest.mark.parametrize("column", ["age", "pressure", "sugar", "smoker", "ward"])
def test_every_row_is_counted_once(session: Session, column: str) -> None:
    found = session.histogram(column, 40)
    counts = [each["counts"] for each in [*found["bins"], *found["categories"]]]
    assert sum(map(sum, counts)) + sum(found["missing"]) == len(session.rows.rows)


def test_whole_numbers_have_a_bin_each(session: Session) -> None:
    assert [(each["low"], each["high"]) for each in session.histogram("ward", 40)["bins"]] == [
        (0.5, 1.5),
        (1.5, 2.5),
        (2.5, 3.5),
    ]


def test_what_rules_cannot_read_has_no_histogram(session: Session) -> None:
    with pytest.raises(StudioError, match="cannot read a column 'patient'"):
        session.histogram("patient", 40)
