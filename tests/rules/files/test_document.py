"""Files are written whole or not at all, and read no further than they may be long."""

import threading
from pathlib import Path

import pytest

from evoter.rules.errors import RuleFileError
from evoter.rules.files.document import MAX_FILE_BYTES, parse_document, read_file, shown, write_file


def test_a_file_is_replaced_and_a_link_to_it_stays_one(tmp_path: Path) -> None:
    target = tmp_path / "rules.json"
    target.write_text("old", encoding="utf-8")
    link = tmp_path / "link.json"
    link.symlink_to(target)
    write_file(link, "Größe\n")
    assert read_file(target) == read_file(str(link)) == "Größe\n".encode()
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.json", "rules.json"]


def test_a_failed_save_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "rules.json"
    write_file(target, "old")

    def full_disk(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(OSError, match="no space left"):
        write_file(target, "new")
    assert target.read_text("utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["rules.json"]


def test_writers_at_the_same_time_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "file"
    contents = [bytes([number]) * 100_000 for number in range(8)]
    threads = [threading.Thread(target=write_file, args=(path, content)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in contents
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_a_new_file_is_as_readable_as_any_other(tmp_path: Path) -> None:
    write_file(tmp_path / "ours", "")
    (tmp_path / "other").touch()
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "other").stat().st_mode


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
