"""Files are looked for in a given directory alone, or else in EVOTER_DATA, the cache and on the publisher's server."""

import re
from io import BytesIO
from pathlib import Path

import pytest

from evoter.datasets import DatasetError, fetch_credit_approval, fetch_diabetes
from evoter.datasets.dataset import Form
from evoter.datasets.fetching import Files, cache_folder
from publisher import Publisher, publish, zipped

ROW = "b,30.83,0,u,g,w,v,1.25,t,t,01,f,g,00202,{},{}\n"


def rows(mark: int) -> str:
    """Return a tiny set that is recognised by its A15."""
    return ROW.format(mark, "+") + ROW.format(0, "-")


@pytest.fixture
def credit(monkeypatch: pytest.MonkeyPatch, publisher: Publisher) -> Publisher:
    publish(monkeypatch, publisher, "credit_approval", zipped({"crx.data": rows(1)}), {"+": 1, "-": 1})
    return publisher


def mark(**arguments: object) -> float:
    """Fetch the tiny set and return its mark."""
    value: float = fetch_credit_approval(**arguments).data["A15"][0]  # type: ignore[arg-type]
    return value


def test_the_order_of_places(credit: Publisher, monkeypatch: pytest.MonkeyPatch, cache: Path, tmp_path: Path) -> None:
    assert mark() == 1
    assert credit.requests == ["/credit+approval.zip"]
    (cache / "crx.data").write_text(rows(2))
    assert mark() == 2
    shared, mine = tmp_path / "shared", tmp_path / "mine"
    for folder, number in ((shared, 3), (mine, 4)):
        folder.mkdir()
        (folder / "crx.data").write_text(rows(number))
    monkeypatch.setenv("EVOTER_DATA", str(shared))
    assert mark() == 3
    assert mark(data_home=mine) == 4
    assert mark(data_home=str(mine), download=False) == 4
    (shared / "crx.data").unlink()
    assert mark() == 2
    assert len(credit.requests) == 1


def test_a_download_is_kept(credit: Publisher, cache: Path) -> None:
    assert mark() == mark() == mark(download=False) == 1
    assert len(credit.requests) == 1
    assert [path.name for path in cache.iterdir()] == ["crx.data"]


def test_nothing_is_downloaded_unasked(credit: Publisher) -> None:
    with pytest.raises(DatasetError, match=r"crx\.data or credit\+approval\.zip not found in .*download=True"):
        mark(download=False)
    assert not credit.requests


def test_a_given_directory_is_the_only_place(credit: Publisher, tmp_path: Path, cache: Path) -> None:
    assert mark() == 1
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(
        DatasetError, match=rf"Credit Approval: crx\.data .* not found in {re.escape(str(empty))}: put it there, or"
    ):
        mark(data_home=empty)
    assert not list(empty.iterdir())


@pytest.mark.usefixtures("credit")
def test_a_directory_that_does_not_exist_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    absent = tmp_path / "absent"
    with pytest.raises(DatasetError, match=rf"data_home is {re.escape(str(absent))}, which is not a directory"):
        mark(data_home=absent)
    monkeypatch.setenv("EVOTER_DATA", str(absent))
    with pytest.raises(DatasetError, match=rf"\$EVOTER_DATA is {re.escape(str(absent))}, which is not a directory"):
        mark()


def test_the_publishers_archive_serves_as_well(credit: Publisher, tmp_path: Path) -> None:
    (tmp_path / "credit+approval.zip").write_bytes(zipped({"crx.data": rows(5)}))
    assert mark(data_home=tmp_path) == 5
    assert (tmp_path / "crx.data").read_text() == rows(5)
    (tmp_path / "credit+approval.zip").unlink()
    assert mark(data_home=tmp_path) == 5
    assert not credit.requests


def test_what_cannot_be_kept_serves_as_well(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no directory")
    form = Form(("a.txt",))
    files = Files(form, "here", {"a.txt": BytesIO(b"a")}, keep_in=tmp_path / "file" / "folder")
    files.keep()
    assert files.read("a.txt") == b"a"
    Files(form, "here", files.contents, keep_in=tmp_path).keep()
    assert (tmp_path / "a.txt").read_bytes() == b"a"


def test_what_is_kept_in_a_shared_directory_is_for_all_who_share_it(tmp_path: Path) -> None:
    Files(Form(("a.txt",)), "here", {"a.txt": BytesIO(b"a")}, keep_in=tmp_path).keep()
    (tmp_path / "other").touch()
    assert (tmp_path / "a.txt").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_cache_that_cannot_be_written_is_said_before_the_download(credit: Publisher, cache: Path) -> None:
    cache.parent.write_text("a file, no directory")
    with pytest.raises(DatasetError, match=r"downloads cannot be kept there; set \$EVOTER_CACHE to another directory"):
        mark()
    assert not credit.requests


def test_offline_the_error_says_how_to_go_on(credit: Publisher, cache: Path) -> None:
    credit.served.clear()
    with pytest.raises(DatasetError, match=r"404 .* download http\S+ by other means, then put it .*\$EVOTER_DATA"):
        mark()
    assert not list(cache.iterdir())


@pytest.mark.usefixtures("cache")
def test_all_files_of_a_form_are_needed(tmp_path: Path) -> None:
    (tmp_path / "diabetes130.parquet").write_bytes(b"")
    with pytest.raises(DatasetError, match=r"diabetes130\.parquet with diabetes130_IDs_mapping\.csv or .* not found"):
        fetch_diabetes(data_home=tmp_path)


def test_the_cache_is_in_the_home_directory_unless_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("EVOTER_CACHE", raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert cache_folder() == tmp_path / ".cache" / "evoter" / "datasets"
