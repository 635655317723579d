"""A table is stored once, found again, checked, built again where it is damaged, and forgotten when room is short."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from commands import ENVIRONMENT
from evoter.rules.errors import SchemaError
from evoter.tables.stored import building, cache
from evoter.tables.stored.building import MANIFEST, StorageFullError
from evoter.tables.stored.cache import cache_folder, store_table
from evoter.tables.stored.column_writer import ColumnWriter
from stored import mixed_frame, write_parquet


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVOTER_CACHE", str(tmp_path / "cache"))
    return write_parquet(mixed_frame(), tmp_path / "t.parquet")


def built(X: object) -> bool:
    """Store a table, and tell whether it was read."""
    calls: list[int] = []
    table = store_table(X, lambda n_read, n_rows: calls.append(n_read))
    assert len(table) == 400
    assert table.load(0, "size").cells.tolist() == mixed_frame()["size"].tolist()  # type: ignore[union-attr]
    return bool(calls)


def folders() -> list[str]:
    return sorted(each.name for each in cache_folder().iterdir())


def test_a_table_is_read_once(path: Path) -> None:
    assert built(path)
    assert not built(path)
    assert not built(str(path))
    assert len(folders()) == 1


def test_another_time_size_or_schema_is_another_table(path: Path) -> None:
    built(path)
    os.utime(path, (1, 1))
    assert built(path)
    write_parquet(mixed_frame().drop(columns="wild"), path)
    assert built(path)


def test_damage_is_found_and_mended(path: Path) -> None:
    def flip(file: Path) -> None:
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)

    harms: list[Callable[[Path], Any]] = [
        lambda folder: flip(folder / "0.bin"),
        lambda folder: (folder / "0.bin").write_bytes(b"short"),
        lambda folder: (folder / "0.bin").unlink(),
        lambda folder: (folder / MANIFEST).unlink(),
        lambda folder: flip(folder / MANIFEST),
        lambda folder: (folder / MANIFEST).write_text("[]"),
    ]
    built(path)
    for harm in harms:
        harm(cache_folder() / folders()[0])
        assert built(path)
        assert not built(path)


def test_a_full_disk_is_said_and_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(ColumnWriter, "_write", full)
    with pytest.raises(StorageFullError, match=r"disk is full.*make room, or choose another disk with EVOTER_CACHE"):
        store_table(path)
    assert folders() == []


def test_an_interrupted_build_leaves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(n_read: int, n_rows: int | None) -> None:
        raise KeyboardInterrupt

    for X in (path, pl.scan_parquet(path)):
        with pytest.raises(KeyboardInterrupt):
            store_table(X, stop)
        assert folders() == []
    assert built(path)


def test_what_a_killed_process_leaves_is_removed(path: Path) -> None:
    code = f"""
import time
from evoter.tables.stored.cache import store_table
store_table({str(path)!r}, lambda *_: (print("reading", flush=True), time.sleep(60)))
"""
    environment = {**ENVIRONMENT, "EVOTER_CACHE": os.environ["EVOTER_CACHE"]}
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment)
    assert process.stdout is not None
    process.stdout.readline()
    assert built(path)  # while the other one is at work, whose folder is not touched
    assert any(name.startswith("draft-") for name in folders())
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert not built(path)
    assert [name for name in folders() if name.startswith("draft-")] == []


def test_two_processes_may_store_the_same_table(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = cache._replace
    raced: list[int] = []

    def race(draft: Path, folder: Path, key: str) -> None:
        if not raced:
            raced.append(1)
            built(path)
        original(draft, folder, key)

    monkeypatch.setattr(cache, "_replace", race)
    assert built(path)
    assert len(folders()) == 1


def test_queries_are_stored_while_they_are_used(path: Path) -> None:
    table = store_table(pl.scan_parquet(path).filter(pl.col("count") > 20))
    part = table.select(["count"])
    del table
    assert min(part.load(0, "count").cells.tolist()) == 21  # type: ignore[union-attr]
    del part
    assert folders() == []


def test_tables_used_least_recently_make_room(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = [write_parquet(mixed_frame(seed=seed), tmp_path / f"{seed}.parquet") for seed in (1, 2)]
    built(path)
    store_table(others[0])
    time.sleep(0.02)
    built(path)
    monkeypatch.setenv("EVOTER_TABLE_CACHE_BYTES", "32000")
    store_table(others[1])
    assert len(folders()) == 2
    assert not built(path)


def test_an_odd_limit_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVOTER_TABLE_CACHE_BYTES", "5 GB")
    with pytest.raises(ValueError, match="EVOTER_TABLE_CACHE_BYTES is '5 GB', which is not a whole number"):
        store_table(path)


def test_an_empty_table_is_refused(path: Path) -> None:
    pl.DataFrame({"a": pl.Series([], dtype=pl.Float64)}).write_parquet(path)
    with pytest.raises(SchemaError, match="has no rows"):
        store_table(path)


def test_the_version_is_part_of_the_key(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built(path)
    for module in (building, cache):
        monkeypatch.setattr(module, "VERSION", 2)
    assert built(path)
