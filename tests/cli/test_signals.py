"""Real signals to real processes at many moments: each ends promptly, with one line, the right code and no litter."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import evoter
from commands import ENVIRONMENT, QUICK, patients, write_rows
from evoter.cli.signals import ENDINGS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

SIGNALS = [signal.SIGINT, signal.SIGTERM]
PROMPTLY = 10.0
"""Seconds; it is a fraction of one on an idle machine, and compiling takes forty."""

MAIN = "import sys; sys.argv[0] = 'evoter'; from evoter.cli import main; main()"
LONG = ("fit", "patients.csv", "--target", "risk", "--time", "100", "--patience", "100000", "--jobs", "1")


@contextmanager
def started(code: str, *arguments: str, folder: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Run a program that prints a line when the moment for the signal has come, and wait for that line."""
    command = [sys.executable, "-c", code, *arguments]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    settings = {**ENVIRONMENT, **environment}
    with subprocess.Popen(command, cwd=folder, env=settings, text=True, **pipes) as child:  # type: ignore[call-overload]
        try:
            assert child.stdout is not None
            assert "now\n" in iter(child.stdout.readline, "")
            yield child
        finally:
            child.kill()


def ended(child: subprocess.Popen[str], number: signal.Signals) -> str:
    """Return what a process that was sent a signal says; it must have ended promptly and with the right code."""
    before = time.monotonic()
    _, said = child.communicate(timeout=60)
    assert child.returncode == ENDINGS[number][1], said
    assert time.monotonic() - before < PROMPTLY
    assert "Traceback" not in said
    assert "Exception ignored" not in said
    return said


def at(moment: str) -> str:
    """Return a program that runs the command line and prints a line when an audit event is the first such one."""
    return f"""
import sys
seen = set()
def watch(event, arguments):
    if {moment} and 'now' not in seen:
        seen.add('now')
        print('now', flush=True)
sys.addaudithook(watch)
{MAIN}
"""


IMPORTS = ["typer", "evoter.cli.app", "evoter.rules.model", "polars", "numpy", "numba"]


@pytest.mark.parametrize(("number", "module"), [*zip(SIGNALS * 3, IMPORTS, strict=True)])
def test_while_modules_are_imported(number: signal.Signals, module: str, tmp_path: Path) -> None:
    write_rows(tmp_path / "patients.csv", patients())
    with started(at(f"event == 'import' and arguments[0] == {module!r}"), *LONG, "--quiet", folder=tmp_path) as child:
        child.send_signal(number)
        assert ended(child, number) == f"evoter: {ENDINGS[number][0]}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["patients.csv"]


def test_little_is_imported_before_signals_are_handled() -> None:
    code = "import sys; before = set(sys.modules); import evoter.cli.signals; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=ENVIRONMENT)
    ours = {name for name in done.stdout.split() if name.startswith("evoter")}
    assert ours == {"evoter", "evoter.cli", "evoter.cli.signals", "evoter.lazy", "evoter.moved_modules"}
    assert not {"re", "typing", "pathlib", "dataclasses"} & set(done.stdout.split())


@pytest.mark.parametrize(
    ("number", "arguments"),
    [
        (signal.SIGINT, ("show", "-")),
        (signal.SIGTERM, ("predict", "rules.txt", "-")),
        (signal.SIGINT, ("explain", "rules.txt", "-")),
        (signal.SIGTERM, ("check", "-", "table.csv")),
    ],
)
def test_while_standard_input_is_read(number: signal.Signals, arguments: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("x > 1 -> up; Default -> down", encoding="utf-8")
    with started(READING + MAIN, *arguments, folder=tmp_path) as child:
        child.send_signal(number)
        assert ended(child, number) == f"evoter: {ENDINGS[number][0]}\n"


READING = """
import evoter.cli.tables.files as files
original = files.read_bytes
def read_bytes(path):
    if path == '-':
        print('now', flush=True)
    return original(path)
files.read_bytes = read_bytes
"""


@pytest.mark.parametrize(("number", "seconds"), [(signal.SIGINT, 0.3), (signal.SIGTERM, 1.5)])
def test_while_kernels_are_compiled(number: signal.Signals, seconds: float, tmp_path: Path) -> None:
    write_rows(tmp_path / "patients.csv", patients())
    code = at("event == 'open' and str(arguments[0]).endswith('.kernel')")  # asking the cache, which has none
    cache = tmp_path / "cache"
    with started(code, *LONG, "--quiet", folder=tmp_path, NUMBA_CACHE_DIR=str(cache)) as child:
        time.sleep(seconds)
        child.send_signal(number)
        said = ended(child, number)
    assert said.splitlines()[-1] == f"evoter: {ENDINGS[number][0]}"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "patients.csv"]


GENERATION = """
import evoter.evolution.engine as engine
step = engine.Evolution.step
def announced(self):
    step(self)
    if self.generation == 3:
        print('now', flush=True)
engine.Evolution.step = announced
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_while_rules_evolve_the_best_are_kept(number: signal.Signals, tmp_path: Path) -> None:
    write_rows(tmp_path / "patients.csv", patients())
    with started(GENERATION + MAIN, *LONG, "--checkpoint", "run.npz", folder=tmp_path) as child:
        child.send_signal(number)
        word = ENDINGS[number][0]
        assert ended(child, number) == f"{word}: keeping the best rules so far; once more ends at once\n"
    names = ["patients.csv", *(f"patients.rules.{end}" for end in ("fit.json", "html", "json", "txt")), "run.npz"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert evoter.load(tmp_path / "patients.rules.json").rules
    record = json.loads((tmp_path / "patients.rules.fit.json").read_text(encoding="utf-8"))
    assert record["run"]["ended"] == "interrupted"


THIRD_RUN = """
import evoter.cli.fit.learning as learning
import evoter.evolution.engine as engine
learn, step, runs = learning.learn, engine.Evolution.step, []
def counted(*arguments, **options):
    runs.append('run')
    return learn(*arguments, **options)
def announced(self):
    step(self)
    if len(runs) == 3 and self.generation == 2:
        print('now', flush=True)
learning.learn, engine.Evolution.step = counted, announced
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_while_runs_are_repeated_the_complete_ones_are_compared(number: signal.Signals, tmp_path: Path) -> None:
    write_rows(tmp_path / "patients.csv", patients())
    arguments = ("fit", "patients.csv", "-t", "risk", "--repeat", "500", *QUICK)
    with started(THIRD_RUN + MAIN, *arguments, folder=tmp_path) as child:
        child.send_signal(number)
        assert "keeping the best rules so far" in ended(child, number)
    record = json.loads((tmp_path / "patients.rules.fit.json").read_text(encoding="utf-8"))
    assert record["run"]["ended"] == "finished", "the rules are those of the first run, which is complete"
    assert 2 <= len(record["stability"]["runs"]) < 500


WRITING = """
import os, sys
from pathlib import Path
from evoter.cli import signals
from evoter.rules.files import writing
signals.install()
operation, wanted = sys.argv[1], int(sys.argv[2])
original, calls = getattr(os, operation), []
def announced(*arguments):
    calls.append(operation)
    if len(calls) == wanted:
        print("now", flush=True)
        os.read(0, 1)
    return original(*arguments)
setattr(os, operation, announced)
signals.keep(None)
writing.write_files({Path(name): "new" for name in "abc"}, signals.uninterrupted())
sys.exit(signals.code_of_signal() or 0)
"""


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("operation", [("fsync", "1"), ("fsync", "3"), ("replace", "1"), ("replace", "2")])
def test_two_signals_while_files_are_written(
    number: signal.Signals, operation: tuple[str, str], tmp_path: Path
) -> None:
    for name in "abc":
        (tmp_path / name).write_text("old", encoding="utf-8")
    with started(WRITING, *operation, folder=tmp_path) as child:
        child.send_signal(number)
        time.sleep(0.05)
        child.send_signal(number)
        time.sleep(0.05)
        assert child.poll() is None or operation[0] == "fsync"
        said = child.communicate("\n", timeout=60)[1]
        assert child.returncode == ENDINGS[number][1]
    assert "Traceback" not in said
    expected = "old" if operation[0] == "fsync" else "new"
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == dict.fromkeys("abc", expected)


def test_an_ignored_signal_stays_ignored() -> None:
    code = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
from evoter.cli import signals
signals.install()
signal.raise_signal(signal.SIGINT)
print(signals.code_of_signal())
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=ENVIRONMENT)
    assert done.stdout == "None\n", "as under nohup"


def test_the_signals_of_a_child_process_are_its_own() -> None:
    code = """
import os, signal, time
from evoter.cli import signals
signals.install()
child = os.fork()
if not child:
    time.sleep(60)
time.sleep(0.1)
os.kill(child, signal.SIGTERM)
_, status = os.waitpid(child, 0)
time.sleep(0.1)
print(os.WTERMSIG(status), signals.code_of_signal())
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=ENVIRONMENT)
    assert done.stdout == f"{int(signal.SIGTERM)} None\n"


def test_code_that_expects_keyboard_interrupt_gets_it_once() -> None:
    code = """
import os, signal, sys, time
from evoter.cli import signals
signals.install()
with signals.raising():
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(60)
    except KeyboardInterrupt:
        print("keeping the results", flush=True)
sys.exit(signals.code_of_signal())
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, env=ENVIRONMENT)
    assert (done.returncode, done.stdout, done.stderr) == (143, "keeping the results\n", "")


def test_an_interrupt_that_was_answered_does_not_end_what_follows() -> None:
    """The thread hears of the signal only after the main thread has caught the exception and let go."""
    code = """
import os, signal, sys, time
from evoter.cli import signals
receive = signals._receive
signals._receive = lambda number: (time.sleep(0.3), receive(number))
signals.install()
try:
    with signals.raising():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)
except KeyboardInterrupt:
    time.sleep(0.6)
    print("closed in order", flush=True)
sys.exit(signals.code_of_signal())
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, env=ENVIRONMENT)
    assert (done.returncode, done.stdout, done.stderr) == (130, "closed in order\n", "")
