"""What the tests of the command line share: running a command, here or as a process, and a small table."""

import json
import os
import pty
import random
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from evoter.cli.app import app
from project import PACKAGE

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "COLUMNS": "120", "NO_COLOR": "1"}
"""For processes: they run the package under test from wherever they are."""

QUICK = ("--generations", "10", "--population", "80", "--jobs", "1")
"""A search that takes a moment and finds what is plain to see."""


def run(*arguments: str, stdin: str | bytes | None = None, width: int = 120) -> Result:
    """Run a command in this process, where it has no terminal."""
    return CliRunner(env={"COLUMNS": str(width), "NO_COLOR": "1"}).invoke(app, list(arguments), input=stdin)


def run_json(*arguments: str, code: int = 0) -> Any:
    """Run a command with --json and return what it writes, which must be JSON and nothing else."""
    result = run(*arguments, "--json")
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def fails(*arguments: str, stdin: str | bytes | None = None) -> tuple[str, str]:
    """Run a command that is used wrongly and return what it says, which must be one line and a hint."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 2, result.output
    message, *rest = result.stderr.splitlines()
    assert len(rest) <= 1
    assert message.startswith("evoter: ")
    assert "Traceback" not in result.output
    return message.removeprefix("evoter: "), rest[0].removeprefix("  hint: ") if rest else ""


def process(*arguments: str, folder: Path, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run a command as a process of its own."""
    command = [sys.executable, "-m", "evoter", *arguments]
    options: dict[str, Any] = {"capture_output": True, "text": True, "timeout": 120, "env": ENVIRONMENT, **settings}
    return subprocess.run(command, cwd=folder, check=False, **options)


class Terminal:
    """A process in a terminal of its own, in which a person reads and types."""

    def __init__(self, *arguments: str, folder: Path) -> None:
        self._main, side = pty.openpty()
        command = [sys.executable, "-m", "evoter", *arguments]
        environment = {**ENVIRONMENT, "TERM": "xterm"}
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=side, stdout=side, stderr=side, env=environment, close_fds=True
        )
        os.close(side)
        self.said = ""

    def read_until(self, text: str, times: int = 1) -> None:
        """Read until a text has come so often, or the process has ended."""
        while self.said.count(text) < times and self._read():
            pass

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self._main, line.encode() + b"\n")

    def end(self) -> int:
        """Read to the end and return the exit code."""
        while self._read():
            pass
        os.close(self._main)
        return self.process.wait(timeout=120)

    def _read(self) -> bool:
        try:
            piece = os.read(self._main, 4_096)
        except OSError:  # the other side is closed: the process has ended
            return False
        self.said += piece.decode(errors="replace").replace("\r", "")
        return bool(piece)


def patients(n_rows: int = 240, seed: int = 0) -> list[dict[str, str]]:
    """Return rows of text: the risk is high for the old who do not live in the north, and for heavy smokers."""
    rng = random.Random(seed)
    rows = []
    for number in range(n_rows):
        age, region, smoker = rng.randint(20, 90), rng.choice(["north", "south", "west"]), rng.random() < 0.3
        high = (age > 55 and region != "north") or (smoker and age > 40)
        if rng.random() < 0.03:
            high = not high
        rows.append(
            {
                "patient": f"P-{number:04}",
                "age": "NA" if rng.random() < 0.03 else str(age),
                "region": region,
                "smoker": str(int(smoker)),
                "ward": str(rng.randint(1, 4)),
                "clinic": "main",
                "admitted": f"2024-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}",
                "risk": "high" if high else "low",
            }
        )
    return rows


def write_rows(path: Path, rows: list[dict[str, str]], separator: str = ",") -> Path:
    """Write rows of text as a table."""
    lines = [list(rows[0]), *(list(row.values()) for row in rows)]
    path.write_text("".join(separator.join(line) + "\n" for line in lines), encoding="utf-8")
    return path


def shown_and_printed(page: Path) -> list[tuple[str, str]]:
    """Run all commands of a page in order; return what it shows of each and what is printed, without times."""
    shown = []
    for block in re.findall(
        r"^```text\n\$ evoter (.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    ):
        command, _, expected = block.replace("\\\n", "").partition("\n")
        result = run(*shlex.split(command), width=100)
        shown.append((timeless(expected), timeless(result.output)))
    return shown


def timeless(text: str) -> str:
    """Return output without what differs from run to run: times, hashes, progress, the spaces at the ends of lines."""
    # A proof says how long it has taken where that is more than a few seconds, as on a busy machine.
    text = re.sub(
        r"^.*\b(?:dividing the space|trying points|solving for \w+)\b.*: \d+ s *\n", "", text, flags=re.MULTILINE
    )
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "2026-11-18T12:00:00Z", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "0" * 64, text)
    return re.sub(r"in \d+\.\d s", "in 1.0 s", re.sub(r" +$", "", text.strip(), flags=re.MULTILINE))
