"""A small model that was fitted by the command line, once for all tests that use one."""

from contextlib import chdir
from pathlib import Path

import pytest

from commands import QUICK, patients, run, write_rows


@pytest.fixture(scope="session")
def fitted_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with a table and all that fitting it has written."""
    folder = tmp_path_factory.mktemp("fitted")
    write_rows(folder / "patients.csv", patients())
    with chdir(folder):
        result = run("fit", "patients.csv", "--target", "risk", *QUICK)
    assert result.exit_code == 0, result.output
    (folder / "output.txt").write_text(result.stdout, encoding="utf-8")
    return folder


@pytest.fixture
def fitted(fitted_once: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to that directory, in which nothing must be changed."""
    monkeypatch.chdir(fitted_once)
    return fitted_once


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to an empty directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
