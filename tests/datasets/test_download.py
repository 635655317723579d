"""Downloads arrive whole or not at all, and say what went wrong."""

import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.datasets import DatasetError
from evoter.datasets.download import SHOWN_BYTES, downloaded, write_whole
from publisher import Publisher


def test_a_download_is_there_in_the_context_only(publisher: Publisher) -> None:
    publisher.served["a.zip"] = bytes(range(256)) * 2_000
    with downloaded(f"{publisher.address}/a.zip", title="a", remedy="wait") as path:
        assert path.read_bytes() == publisher.served["a.zip"]
    assert not path.exists()
    assert not path.parent.exists()


def test_a_refusal_names_address_answer_and_remedy(publisher: Publisher) -> None:
    address = f"{publisher.address}/b.zip"
    with (
        pytest.raises(DatasetError, match=rf"{address}: the server answers 404 \(Not Found\); wait"),
        downloaded(address, title="b", remedy="wait"),
    ):
        pass


def test_a_cut_connection_is_no_download(publisher: Publisher) -> None:
    publisher.served["a.zip"] = b"x" * 1_000
    publisher.withheld = 100
    with (
        pytest.raises(DatasetError, match="the connection ended after 900 of 1,000 bytes; try again"),
        downloaded(f"{publisher.address}/a.zip", title="a", remedy="wait"),
    ):
        pass


@pytest.mark.usefixtures("publisher")
def test_without_a_network_the_remedy_is_said() -> None:
    with (
        pytest.raises(DatasetError, match=r"127\.0\.0\.1:1/a\.zip: cannot be downloaded \(.*refused.*\); wait"),
        downloaded("http://127.0.0.1:1/a.zip", title="a", remedy="wait"),
    ):
        pass


def test_big_downloads_show_their_progress_where_somebody_reads_along(
    publisher: Publisher, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    for size, shown in ((SHOWN_BYTES - 1, False), (SHOWN_BYTES, True)):
        publisher.served["a.zip"] = b"x" * size
        with downloaded(f"{publisher.address}/a.zip", title="Big Data", remedy="wait"):
            pass
        assert ("Big Data" in capsys.readouterr().err) == shown


@given(st.binary(), st.binary())
def test_a_file_is_replaced_whole(tmp_path_factory: pytest.TempPathFactory, old: bytes, new: bytes) -> None:
    path = tmp_path_factory.mktemp("files") / "folder" / "file"
    for content in (old, new):
        write_whole(path, content)
        assert path.read_bytes() == content
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


def test_writers_at_the_same_time_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "file"
    contents = [bytes([number]) * 100_000 for number in range(8)]
    threads = [threading.Thread(target=write_whole, args=(path, content)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in contents
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_an_interrupted_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"old")
    with pytest.raises(TypeError):
        write_whole(path, "no bytes")  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
