"""What is not the published set is refused, wherever it comes from, and never kept."""

import re
from pathlib import Path

import numpy as np
import pytest

from evoter.datasets import (
    DatasetError,
    fetch_credit_approval,
    fetch_human_activity_signals,
    fetch_hypotension_2009,
)
from publisher import Publisher, publish, real_files, zipped

ROW = "b,30.83,0,u,g,w,v,1.25,t,t,01,f,g,00202,0,+\n"


@pytest.mark.parametrize(
    ("archive", "complaint"),
    [
        (b"<html>Moved</html>", r"cannot be read as Credit Approval \(BadZipFile"),
        (zipped({"crx.data": ROW})[:-20], r"cannot be read as Credit Approval \(BadZipFile"),
        (zipped({"crx.names": ""}), r"the archive holds no file crx\.data"),
        (zipped({"crx.data": ROW}), r"rows of each class: \{'\+': 1\}, not \{'\+': 1, '-': 1\}"),
        (zipped({"crx.data": "1,2,3\n"}), r"crx\.data cannot be read as Credit Approval|rows of each class"),
    ],
)
def test_other_content_is_refused_and_not_kept(
    archive: bytes, complaint: str, monkeypatch: pytest.MonkeyPatch, publisher: Publisher, cache: Path
) -> None:
    publish(monkeypatch, publisher, "credit_approval", archive, {"+": 1, "-": 1})
    with pytest.raises(DatasetError, match=complaint):
        fetch_credit_approval()
    assert not list(cache.iterdir())


def test_a_text_of_another_checksum_is_refused(
    monkeypatch: pytest.MonkeyPatch, publisher: Publisher, cache: Path
) -> None:
    publish(monkeypatch, publisher, "credit_approval", zipped({"crx.data": ROW}))
    with pytest.raises(DatasetError, match=r"credit\+approval\.zip: crx\.data is not the published file .* sha256"):
        fetch_credit_approval()
    assert not list(cache.iterdir())


def test_a_damaged_local_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "crx.data").write_text(ROW)
    with pytest.raises(DatasetError, match=rf"{re.escape(str(tmp_path))}: crx\.data is not the published file"):
        fetch_credit_approval(data_home=tmp_path)
    (tmp_path / "har_inertial.npz").write_bytes(b"PK no array")
    with pytest.raises(
        DatasetError, match=rf"{re.escape(str(tmp_path))}: har_inertial\.npz cannot be read .*; delete the local file"
    ):
        fetch_human_activity_signals(data_home=tmp_path)


def test_other_content_of_the_right_shape_is_refused(tmp_path: Path) -> None:
    (source,) = real_files("icu_ahe2009_map.npz")
    with np.load(source) as arrays:
        changed = dict(arrays)
    changed["map"] = changed["map"].copy()
    changed["map"][7, 100] += 1.0
    np.savez(tmp_path / "icu_ahe2009_map.npz", allow_pickle=False, **changed)
    with pytest.raises(DatasetError, match=r"is not PhysioNet.* as published: sha256 of its content"):
        fetch_hypotension_2009(data_home=tmp_path)
