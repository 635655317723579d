"""Files are written whole or not at all, drafts are not left behind, and locks name their holder."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from evoter.rules.files.writing import FileInUseError, locked, replaced_file, write_file, write_files
from faults import faults


def test_a_file_is_replaced_and_a_link_to_it_stays_one(tmp_path: Path) -> None:
    target = tmp_path / "rules.json"
    target.write_text("old", encoding="utf-8")
    link = tmp_path / "link.json"
    link.symlink_to(target)
    write_file(link, "Größe\n")
    assert target.read_bytes() == "Größe\n".encode()
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


def test_whichever_call_fails_the_file_is_old_or_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "rules.json"
    failed = []
    for calls in faults(monkeypatch):
        target.write_bytes(b"old")
        try:
            write_file(target, b"new")
        except OSError:
            failed.append(calls[-1])
        assert target.read_bytes() in (b"old", b"new")
        assert [path.name for path in tmp_path.iterdir()] == ["rules.json"], calls
    assert failed == ["open", "write", "fsync", "replace"]
    assert target.read_bytes() == b"new"


def test_several_files_are_replaced_after_all_of_them_are_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / name for name in "abc"]
    failed, named = [], set()
    for calls in faults(monkeypatch):
        for path in paths:
            path.write_bytes(b"old")
        try:
            write_files(dict.fromkeys(paths, "new"))
        except OSError as error:
            failed.append(calls[-1])
            named.add(Path(str(error.filename)))
        replaced = [path.read_bytes() == b"new" for path in paths]
        assert replaced == sorted(replaced, reverse=True), "one after the other"
        assert not any(replaced) or "replace" in calls
        assert sorted(tmp_path.iterdir()) == paths
    assert failed == ["open", "write", "fsync"] * 3 + ["replace"] * 3
    assert named == {*paths}, "errors name the file"
    assert all(replaced)


def test_what_a_process_has_open_can_be_removed_before_it_ends_at_once(tmp_path: Path) -> None:
    code = """
import os, sys
from evoter.rules.files import writing
def end(*_):
    writing.remove_temporary_files()
    os._exit(0)
os.fsync = end
with writing.locked(sys.argv[1]):
    writing.write_file(sys.argv[1], "new")
"""
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "file")], check=True)
    assert list(tmp_path.iterdir()) == []


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, content: write(descriptor, bytes(content)[:3]))
    write_file(tmp_path / "file", "a longer text")
    assert (tmp_path / "file").read_text() == "a longer text"


KILLED = """
import sys, time
from evoter.rules.files import writing
os_replace = writing.os.replace
def pause(*_):
    print("draft written", flush=True)
    time.sleep(60)
writing.os.replace = pause
writing.write_file(sys.argv[1], "new")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL and advisory locks")
def test_the_draft_of_a_killed_writer_is_removed_by_the_next(tmp_path: Path) -> None:
    target = tmp_path / "rules.json"
    with subprocess.Popen([sys.executable, "-c", KILLED, str(target)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        write_file(target, "other")
        assert len(list(tmp_path.iterdir())) == 2, "a draft that is being written stays"
        process.send_signal(signal.SIGKILL)
        process.wait()
    write_file(target, "newer")
    assert [path.name for path in tmp_path.iterdir()] == ["rules.json"]


HOLDER = """
import sys, time
from evoter.rules.files.writing import locked
with locked(sys.argv[1]):
    print("locked", flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL and advisory locks")
def test_a_lock_names_the_process_that_holds_it_and_ends_with_it(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(FileInUseError, match=f"run.npz is in use by process {process.pid} on"), locked(path):
            pass
        process.send_signal(signal.SIGKILL)
        process.wait()
    with locked(path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_lock_is_granted_to_one_at_a_time(tmp_path: Path) -> None:
    path, holders, most, refused = tmp_path / "file", [0], [0], [0]

    def work() -> None:
        for _ in range(50):
            try:
                with locked(path):
                    holders[0] += 1
                    most[0] = max(most[0], holders[0])
                    time.sleep(0.0002)
                    holders[0] -= 1
            except FileInUseError:
                refused[0] += 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]
    assert refused[0] > 0
    assert list(tmp_path.iterdir()) == []


def test_a_file_written_piece_by_piece_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"old")
    with replaced_file(path) as file:
        file.write(b"new ")
        assert path.read_bytes() == b"old"
        file.write(b"content")
    assert path.read_bytes() == b"new content"
    with pytest.raises(TypeError), replaced_file(path) as file:
        file.write("text, which a file of bytes refuses")  # type: ignore[call-overload]
    assert path.read_bytes() == b"new content"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(OSError, match="nowhere"), replaced_file(tmp_path / "nowhere" / "t.csv"):
        pass
