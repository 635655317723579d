"""Columns are taken for what they look like, and a person can say otherwise."""

import numpy as np
import pytest

from evoter import parse
from evoter.cli.fit.column_roles import Choices
from evoter.cli.output import Failure
from evoter.cli.tables.files import read_source
from evoter.rules.values import category_name
from evoter.studio.errors import StudioError
from evoter.studio.table.columns import StudioTable
from studios import patients, table


def roles(found: StudioTable) -> dict[str, str]:
    """Return the role of each column."""
    return {column["name"]: column["role"] for column in found.describe()}


def test_an_identifier_is_left_out_and_the_target_is_marked() -> None:
    found = roles(table())
    assert found["patient"] == "left out"
    assert found["risk"] == "target"
    assert found["age"] == "feature"


def test_a_correction_changes_the_kind_and_can_be_taken_back() -> None:
    corrected = table().corrected({"ward": "category", "sugar": "drop"})
    kinds = {column["name"]: (column["kind"], column["chosen"]) for column in corrected.describe()}
    assert kinds["ward"] == ("category", "category")
    assert roles(corrected)["sugar"] == "left out"
    assert roles(corrected.corrected({"ward": "auto"})) == roles(table())


@pytest.mark.parametrize(
    ("corrections", "message"),
    [
        ({"nothing": "drop"}, "no column 'nothing'"),
        ({"ward": "date"}, "not 'date'"),
        ({"risk": "drop"}, "is the target"),
        ({"smoker": "number"}, "'smoker' has no numbers"),
    ],
)
def test_corrections_that_make_no_sense_are_refused(corrections: dict[str, str], message: str) -> None:
    with pytest.raises(StudioError, match=message):
        table().corrected(corrections)


def test_a_protected_column_and_a_unit_are_shown() -> None:
    found = {column["name"]: column for column in table().describe(["sex"])}
    assert found["sex"]["protected"]
    assert not found["age"]["protected"]
    assert found["sugar"]["missing"] > 0


def test_columns_that_rules_read_have_the_kind_that_rules_expect() -> None:
    found = table(parse('ward = "2" -> high; Default -> low'))
    assert next(column["kind"] for column in found.describe() if column["name"] == "ward") == "category"


def test_labels_are_named_as_actions_are() -> None:
    frame, labels = patients(60)
    numbers = StudioTable.from_frame(frame, [1.0 if label == "high" else 0.0 for label in labels], target="y")
    assert set(numbers.plan.labels) == {category_name(1.0), category_name(0.0)} == {"1", "0"}


def test_frames_of_pandas_and_arrays_are_read_alike() -> None:
    frame, labels = patients(60)
    assert roles(StudioTable.from_frame(frame.to_pandas(), labels)) == roles(StudioTable.from_frame(frame, labels))
    array = StudioTable.from_frame(np.random.default_rng(0).normal(size=(60, 2)), labels)
    assert [column["name"] for column in array.describe()] == ["x0", "x1", "target"]


def test_what_does_not_fit_together_is_refused() -> None:
    frame, labels = patients(60)
    with pytest.raises(Failure, match="60 rows and 59 labels"):
        StudioTable.from_frame(frame, labels[1:])
    with pytest.raises(Failure, match="a column 'age'"):
        StudioTable.from_frame(frame, labels, target="age")
    with pytest.raises(Failure, match="edits rules for classes"):
        StudioTable.from_frame(frame, [n / 7 for n in range(60)])


def test_a_doubt_about_a_file_comes_with_its_remedy(tmp_path_factory: pytest.TempPathFactory) -> None:
    frame, labels = patients()
    path = tmp_path_factory.mktemp("file") / "patients.csv"
    leaking = frame.to_pandas().assign(outcome=labels, code=[f"{label}!" for label in labels])
    leaking.to_csv(path, index=False)
    found = StudioTable.from_source(read_source(str(path)), Choices(target="outcome"))
    (doubt,) = next(column["warnings"] for column in found.describe() if column["name"] == "code")
    assert "determines outcome by itself" in doubt["finding"]
    assert "drop it" in doubt["remedy"]
