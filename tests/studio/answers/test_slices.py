"""Slices are the rows on which conditions hold, and the rest of their part."""

import pytest

from evoter.studio.errors import StudioError
from evoter.studio.session.session import Session


def test_inside_and_outside_are_the_whole_part(session: Session) -> None:
    found = session.slice(None, "age>60 and sex = f", "validation")
    assert found["conditions"] == "age > 60 AND sex = f"
    assert found["inside"]["rows"] + found["outside"]["rows"] == found["of"] == len(session.parts.validation)
    assert found["rows"] == found["inside"]["rows"] == sum(card["stat"]["decided"] for card in found["cards"])
    difference = found["difference"]["accuracy"]
    assert difference["value"] == pytest.approx(found["inside"]["accuracy"] - found["outside"]["accuracy"])
    assert difference["interval"][0] <= difference["value"] <= difference["interval"][1]


def test_no_condition_is_every_row_and_an_impossible_one_none(session: Session) -> None:
    whole = session.slice(None, " ", "training")
    assert whole["rows"] == whole["of"]
    assert whole["outside"] is None
    assert whole["difference"] is None
    assert session.slice(None, "age > 1000", "training")["inside"] is None


def test_what_cannot_be_read_says_where(session: Session) -> None:
    with pytest.raises(StudioError) as refused:
        session.slice(None, "age > 60 AND hight = 2", "validation")
    assert refused.value.kind == "rule"
    assert refused.value.details["column"] == 14
