"""Downloads arrive whole or not at all, and say what went wrong."""

import sys
import tempfile
from pathlib import Path

import pytest

from evoter.datasets import DatasetError, download
from evoter.datasets.download import SHOWN_BYTES, downloaded
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
        pytest.raises(DatasetError, match="the connection ended before all 1,000 bytes had arrived; try again"),
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


def test_a_server_that_does_not_announce_the_size_is_believed(publisher: Publisher) -> None:
    publisher.served["a.zip"] = b"x" * 1_000
    publisher.announces = False
    with downloaded(f"{publisher.address}/a.zip", title="a", remedy="wait") as path:
        assert path.stat().st_size == 1_000


def test_nothing_is_left_behind_by_a_failure(
    publisher: Publisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    publisher.served["a.zip"] = b"x" * 1_000
    publisher.withheld = 100
    with pytest.raises(DatasetError), downloaded(f"{publisher.address}/a.zip", title="a", remedy="wait"):
        pass
    assert not list((tmp_path / "temporary").iterdir())


@pytest.mark.parametrize("announces", [True, False])
def test_more_than_any_published_archive_is_refused(
    announces: bool, publisher: Publisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "MAX_BYTES", 2_000_000)
    publisher.served["a.zip"] = b"x" * 3_000_000
    publisher.announces = announces
    with (
        pytest.raises(DatasetError, match=r"a\.zip: the server sends more than 2,000,000 bytes; wait"),
        downloaded(f"{publisher.address}/a.zip", title="a", remedy="wait"),
    ):
        pass
    publisher.served["a.zip"] = b"x" * 2_000_000
    with downloaded(f"{publisher.address}/a.zip", title="a", remedy="wait") as path:
        assert path.stat().st_size == 2_000_000
