"""What is said about open rows never includes a test row."""

import pytest

from evoter.studio.errors import StudioError
from evoter.studio.session.session import Session

NO_FILTER = {"rule": None, "label": None, "decision": None, "wrong": None, "offset": 0, "limit": 100}


def test_no_list_has_a_test_row(session: Session) -> None:
    closed = {session.table.row_number(position) for position in session.parts.test.tolist()}
    seen: set[int] = set()
    total = session.listed(None, "", "open", **NO_FILTER)["total"]
    for offset in range(0, total, 100):
        seen |= {each["row"] for each in session.listed(None, "", "open", **NO_FILTER | {"offset": offset})["rows"]}
    assert len(seen) == total == len(session.parts.open)
    assert not seen & closed


def test_a_test_row_is_closed_by_number_and_by_values_open(session: Session) -> None:
    number = session.table.row_number(int(session.parts.test[0]))
    with pytest.raises(StudioError, match="closed until sign-off") as refused:
        session.rows.find(number, None)
    assert refused.value.kind == "closed"
    with pytest.raises(StudioError, match="no labelled row"):
        session.rows.find(10**6, None)


def test_filters_choose_rows(session: Session) -> None:
    wrong = session.listed(None, "age > 40", "validation", **NO_FILTER | {"wrong": True})
    assert all(each["label"] != each["decision"] and each["values"]["age"] > 40 for each in wrong["rows"])
    ruled = session.listed(None, "", "open", **NO_FILTER | {"rule": 1})
    assert ruled["total"]
    assert all(each["rule"] == 1 and each["values"]["age"] > 70 for each in ruled["rows"])
    labelled = session.listed(None, "", "open", **NO_FILTER | {"label": "high", "decision": "low"})
    assert all((each["label"], each["decision"]) == ("high", "low") for each in labelled["rows"])
    with pytest.raises(StudioError, match="no class 'medium'"):
        session.listed(None, "", "open", **NO_FILTER | {"label": "medium"})
    with pytest.raises(StudioError, match="no 'test'"):
        session.listed(None, "", "test", **NO_FILTER)


def test_groups_of_any_column_can_be_compared(session: Session) -> None:
    found = session.audit(None, "validation", ["ward", "sex"], None, None)
    assert found["protected"] == ["ward", "sex"]
    assert found["part"] == "validation"
    banded = session.audit(None, "open", ["age"], "high", {"age": [40, 60]})
    assert [group["name"] for group in banded["columns"][0]["groups"]] == ["under 40", "40 to under 60", "60 and over"]
    with pytest.raises(StudioError, match="no column 'height'"):
        session.audit(None, "validation", ["height"], None, None)
