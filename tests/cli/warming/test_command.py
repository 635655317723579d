"""`evoter warm-up` compiles in two processes, once; without a directory it says what to do."""

import json
from pathlib import Path

import pytest

from commands import ENVIRONMENT, fails, process, run_json
from evoter.kernels import machine_code


def test_after_tests_have_run_there_is_nothing_to_compile() -> None:
    run_json("warm-up")
    again = run_json("warm-up")
    assert again["compiled"] == 0
    assert Path(again["directory"]).is_dir()


def test_without_a_directory_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "cache_folder", lambda: None)
    message, hint = fails("warm-up")
    assert message == "there is no directory in which compiled kernels can be kept"
    assert "NUMBA_CACHE_DIR" in hint


def test_a_process_says_where_the_kernels_are(tmp_path: Path) -> None:
    done = process("warm-up", folder=tmp_path, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    assert "kernels" in done.stderr
    assert done.stdout == ""
    quiet = process("warm-up", "--quiet", "--json", folder=tmp_path, env=ENVIRONMENT)
    assert json.loads(quiet.stdout)["compiled"] == 0
    assert quiet.stderr == ""
