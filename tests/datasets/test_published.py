"""Published texts are known by their checksum whatever their line ends, and archives are searched by file name."""

import hashlib
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.datasets import DATASETS, DatasetError, published
from evoter.datasets.published import Archive, published_text
from publisher import zipped

INFO = DATASETS["credit_approval"]
LINES = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n\ufeff"), max_size=20), min_size=1)


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["\n", "\r\n"]), st.integers(0, 3))
def test_line_ends_and_empty_lines_at_the_end_do_not_matter(
    lines: list[str], published_end: str, copied_end: str, n_empty: int
) -> None:
    text = "\n".join(lines).rstrip("\n") + "\n"
    checksum = hashlib.sha256(text.replace("\n", published_end).encode()).hexdigest()
    info = replace(INFO, sha256={"a.txt": checksum})
    copy = (text + "\n" * n_empty).replace("\n", copied_end).encode()
    assert published_text(info, "a.txt", copy, "here") == text


@given(st.integers(0, 25), st.characters(codec="ascii", categories=["L", "N"]))
def test_any_other_character_is_noticed(place: int, character: str) -> None:
    text = "b,30.83,0,u,g,w,v,1.25,t,t\n"
    info = replace(INFO, sha256={"a.txt": hashlib.sha256(text.encode()).hexdigest()})
    changed = text[:place] + character + text[place + 1 :]
    if changed == text:
        return
    with pytest.raises(DatasetError, match=r"here: a\.txt is not the published file of Credit Approval.*delete"):
        published_text(info, "a.txt", changed.encode(), "here")


def archive_of(files: dict[str, str | bytes]) -> Archive:
    return Archive(io.BytesIO(zipped(files)), "all.zip")


def test_files_are_found_by_the_end_of_their_path() -> None:
    archive = archive_of({"set/train/y.txt": "1", "set/test/y.txt": "2", "set/IDS.csv": "3", "other_y.txt": "4"})
    assert archive.read("test/y.txt") == b"2"
    assert archive.read("IDs.csv") == b"3"
    assert archive.names("/y.txt") == ["set/test/y.txt", "set/train/y.txt"]


def test_a_missing_file_is_named() -> None:
    with pytest.raises(DatasetError, match=r"all\.zip: the archive holds no file crx\.data; delete"):
        archive_of({"a.data": ""}).read("crx.data")


def test_an_archive_may_lie_in_another() -> None:
    inner = zipped({"folder/a.txt": "a"})
    assert archive_of({"inner.zip": inner}).inner("inner.zip").read("a.txt") == b"a"
    assert archive_of({"folder/a.txt": "a"}).inner("inner.zip").read("a.txt") == b"a"


def test_a_file_larger_than_any_published_one_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published, "MAX_UNPACKED_BYTES", 1_000)
    with pytest.raises(DatasetError, match=r"all\.zip: with a\.txt it holds more than 1,000 bytes"):
        archive_of({"a.txt": b"0" * 1_001}).read("a.txt")
