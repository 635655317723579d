"""Tests of the names and texts that are recognised in columns."""

import pytest

from evoter.tables.intake.limits import is_date_text, is_id_name


@pytest.mark.parametrize(
    "name",
    ["id", "ID", "patient_id", "patientId", "CustomerNo", "row", "row nr", "Unnamed: 0", "encounter-key", "index"],
)
def test_names_of_identifiers(name: str) -> None:
    assert is_id_name(name)


@pytest.mark.parametrize("name", ["paid", "age", "PAID", "idle", "width", "rowing", "monkey", "x0", "unknown"])
def test_names_that_only_look_like_it(name: str) -> None:
    assert not is_id_name(name)


def test_dates() -> None:
    texts = ["2024-01-31", "31.1.2024", "1/31/24", "2024-01-31T10:00:00Z", "2024-01-31 10:00", "1.5", "2024", "1-2-3"]
    assert [text for text in texts if is_date_text(text)] == texts[:5]
