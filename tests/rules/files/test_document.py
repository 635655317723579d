"""Documents are read no further than they may be long, and their values are shown short."""

from pathlib import Path

import pytest

from evoter.rules.errors import RuleFileError
from evoter.rules.files.document import MAX_FILE_BYTES, parse_document, read_file, shown


def test_a_file_that_is_too_long_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    with path.open("wb") as file:
        file.truncate(10 * MAX_FILE_BYTES)
    text = read_file(path)
    assert len(text) == MAX_FILE_BYTES + 1
    with pytest.raises(RuleFileError, match="longer than"):
        parse_document(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (1e999, "Infinity"),
        ("a\n", '"a\\n"'),
        ([[[]]], "a list of 1"),
        ({"a": 1}, "an object"),
        ("x" * 10**6, '"' + "x" * 59 + "..."),
    ],
)
def test_values_are_shown_short(value: object, text: str) -> None:
    assert shown(value) == text
