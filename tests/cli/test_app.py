"""Tests of the command as a whole: help, exit codes, errors, and what it loads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from commands import ENVIRONMENT, fails, process, run, shown_and_printed
from evoter.cli.app import _failure
from evoter.cli.output import ExitCode, Failure
from evoter.rules.errors import RuleError
from project import ROOT

COMMANDS = (
    "demo", "fit", "predict", "explain", "show", "simplify", "edit", "verify", "check", "audit", "prove", "diff",
    "compare", "datasets", "reproduce",
)  # fmt: skip


def test_without_arguments_there_is_a_short_help_that_begins_with_the_demo() -> None:
    result = run()
    assert result.exit_code == 0
    assert result.stdout.splitlines()[2].split()[:2] == ["evoter", "demo"]


def test_help_lists_all_commands() -> None:
    output = run("--help").stdout
    assert all(f" {name} " in output for name in COMMANDS)
    assert "130 Ctrl-C" in output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_json_and_quiet(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "--json" in result.stdout
    assert "--quiet" in result.stdout


def test_version() -> None:
    import evoter

    assert run("--version").stdout == f"evoter {evoter.__version__}\n"


def test_unknown_commands_are_one_line() -> None:
    message, hint = fails("fitt")
    assert "No such command 'fitt'" in message
    assert "fit" in message
    assert hint == "evoter --help"


@pytest.mark.parametrize(
    ("error", "message", "code"),
    [
        (Failure("no", "yes"), "no", ExitCode.WRONG_INPUT),
        (RuleError("unknown feature 'a'; did you mean 'b'?"), "unknown feature 'a'", ExitCode.WRONG_INPUT),
        (
            PermissionError(13, "Permission denied", "x.csv"),
            "x.csv: Permission denied",
            ExitCode.WRONG_INPUT,
        ),
        (ImportError("this needs pandas"), "this needs pandas", ExitCode.WRONG_INPUT),
        (typer.Abort(), "aborted", ExitCode.INTERRUPTED),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero", ExitCode.DEFECT),
    ],
)
def test_every_error_becomes_one_line_and_a_code(error: Exception, message: str, code: ExitCode) -> None:
    failure = _failure(error)
    assert (failure.message, failure.code) == (message, code)


def test_a_traceback_is_shown_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVOTER_TRACEBACK", "1")
    assert isinstance(run("show", "nowhere.json").exception, Failure)


def test_help_loads_nothing_heavy_and_is_quick(tmp_path: Path) -> None:
    code = "import sys; sys.argv = ['evoter', '--help']\ntry:\n    from evoter.cli import main; main()\nexcept SystemExit: print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=ENVIRONMENT)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert not {"numpy", "numba", "polars", "sklearn", "scipy", "pandas", "narwhals"} & loaded
    before = os.times()
    process("--help", folder=tmp_path)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    assert used < 1.0, "seconds of computing; about 0.3 on a machine of 2024"


def test_without_its_libraries_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['typer'] = None\nfrom evoter.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 1
    assert done.stderr == 'evoter: the command line needs typer: pip install "evoter[cli]"\n'


PAGE = ROOT / "docs" / "command_line.md"


@pytest.mark.skipif("EVOTER_DATA" not in os.environ, reason="set EVOTER_DATA to a directory that holds published data")
def test_the_tutorial_shows_real_output(folder: Path) -> None:
    shown = shown_and_printed(PAGE)
    assert len(shown) == 12
    for expected, printed in shown:
        assert printed == expected
