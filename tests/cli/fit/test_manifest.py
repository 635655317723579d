"""The files of a fit belong together, and a mixture is noticed, whatever call fails and whenever the fit is killed."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands import ENVIRONMENT, QUICK, run, run_json
from evoter.cli.fit.manifest import KEY, find_files
from faults import faults

NAMES = ("patients.rules.json", "patients.rules.txt", "patients.rules.html", "patients.rules.sql")
RECORD = "patients.rules.fit.json"


def fit(*options: str) -> int:
    """Fit the table of the present directory again."""
    arguments = ("patients.csv", "--target", "risk", "--export", "sql", "--quiet", *QUICK, *options)
    return run("fit", *arguments).exit_code


def contents(folder: Path) -> dict[str, bytes]:
    """Return all that a fit wrote."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "patients.csv"}


@pytest.fixture
def place(fitted_once: Path, folder: Path) -> Path:
    """Go to a directory with the table and the files of a fit of it."""
    (folder / "patients.csv").write_bytes((fitted_once / "patients.csv").read_bytes())
    assert fit() == 0
    return folder


def findings(folder: Path) -> dict[str, str]:
    """Return the files that `evoter check` says are not of the fit, or that they are."""
    found = run_json("check", str(folder / NAMES[0]), str(folder / "patients.csv"))["findings"]
    return {each["about"]: each["level"] for each in found if each["about"] in (*NAMES, "files")}


def test_the_record_has_the_checksums_of_all_files(place: Path) -> None:
    manifest = json.loads((place / RECORD).read_text("utf-8"))[KEY]
    assert manifest == {name: hashlib.sha256((place / name).read_bytes()).hexdigest() for name in NAMES}
    assert findings(place) == {"files": "ok"}


@pytest.mark.parametrize("name", NAMES[1:])
def test_a_file_of_another_fit_is_named(name: str, place: Path) -> None:
    (place / name).write_bytes((place / name).read_bytes() + b"\n")
    assert findings(place) == {name: "warning"}
    (place / name).unlink()
    assert findings(place) == {"files": "ok"}, "not every file needs to be copied"


def test_an_export_that_the_next_fit_does_not_make_is_named(place: Path) -> None:
    assert run("fit", "patients.csv", "--target", "risk", "--quiet", *QUICK, "--seed", "1").exit_code == 0
    assert findings(place) == {"patients.rules.sql": "warning"}
    assert fit("--seed", "1") == 0
    assert findings(place) == {"files": "ok"}


def test_an_export_that_cannot_be_made_loses_nothing_else(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def impossible(*_: object, **__: object) -> str:
        raise ValueError("such rules cannot be exported")

    monkeypatch.setattr("evoter.export.sql.to_sql", impossible)
    old = contents(place)
    assert fit("--seed", "1", "--force") == 2
    changed = {name for name, content in contents(place).items() if old[name] != content}
    assert changed == {*NAMES[:3], RECORD}
    assert findings(place) == {"patients.rules.sql": "warning"}


def test_rules_without_a_record_and_records_without_a_manifest_are_not_judged(place: Path) -> None:
    path = place / RECORD
    record = json.loads(path.read_text("utf-8"))
    manifests: list[object] = [None, [], {"../x": "0"}, {RECORD: "0"}, {"nowhere": "0"}, {"a\0b": "0"}]
    for manifest in manifests:
        path.write_text(json.dumps(record | {KEY: manifest}), encoding="utf-8")
        assert find_files(place / NAMES[0]) is None
    for text in ("", "[]", "[" * 100_000, '{"format": "other"}'):
        path.write_text(text, encoding="utf-8")
        assert find_files(place / NAMES[0]) is None
    path.unlink()
    assert find_files(place / NAMES[0]) is None


def agree(folder: Path, old: dict[str, bytes], new: dict[str, bytes]) -> bool:
    """Tell whether all files are of one fit; each must be whole, and those that do not fit the record be named."""
    present = contents(folder)
    assert set(present) == set(old), "nothing is left lying about"
    assert all(content in (old[name], new[name]) for name, content in present.items())
    described = new if present[RECORD] == new[RECORD] else old
    files = find_files(folder / NAMES[0])
    assert files is not None
    assert files.others == tuple(name for name in NAMES if present[name] != described[name])
    return not files.others


def test_whichever_call_fails_a_mixture_is_named(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    again = written_again(place, monkeypatch, "--force")
    old = contents(place)
    again()
    new = contents(place)
    outcomes = []
    for calls in faults(monkeypatch):
        for name, content in old.items():
            (place / name).write_bytes(content)
        try:
            again()
        except OSError:
            outcomes.append((calls[-1], agree(place, old, new)))
    assert [call for call, _ in outcomes if call != "replace"] == ["open", "write", "fsync"] * 5
    assert all(agreed for call, agreed in outcomes if call != "replace"), "nothing was replaced"
    assert [agreed for call, agreed in outcomes if call == "replace"] == [True, False, False, False, False]
    files = find_files(place / NAMES[0])
    assert files is not None
    assert files.others == ()


def written_again(place: Path, monkeypatch: pytest.MonkeyPatch, *options: str) -> Callable[[], object]:
    """Return what writes the files of another fit, which runs once."""
    import evoter.cli.fit.files as files

    kept: list[Any] = []
    original = files.write_files

    def keep(*arguments: Any, **options: Any) -> Any:
        kept.append((arguments, options))
        return original(*arguments, **options)

    before = contents(place)
    with monkeypatch.context() as patch:
        patch.setattr(files, "write_files", keep)
        assert fit("--seed", "1", *options) == 0
    for path in set(place.iterdir()) - {place / "patients.csv"}:
        path.unlink()
    for name, content in before.items():
        (place / name).write_bytes(content)
    return lambda: original(*kept[0][0], **kept[0][1])


def test_whichever_call_fails_the_earlier_fit_is_whole_somewhere(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file of it is under its own name or under its numbered name, until all of them have numbered names."""
    again = written_again(place, monkeypatch)
    old = contents(place)
    n_failed = 0
    for _ in faults(monkeypatch):
        for path in set(place.iterdir()) - {place / "patients.csv"}:
            path.unlink()
        for name, content in old.items():
            (place / name).write_bytes(content)
        try:
            again()
        except OSError:
            n_failed += 1
        present = contents(place)
        for name in NAMES:
            assert old[name] in (present[name], present.get(name.replace("rules", "rules.1"))), name
        assert not [name for name in present if name.endswith(".tmp")]
    assert n_failed == 40, "open, write, fsync and replace of ten files"
    kept = find_files(place / "patients.rules.1.json")
    assert kept is not None
    assert len(kept.fitting) == 4
    assert kept.others == ()


KILLED = """
import json, os, signal, sys
from pathlib import Path
from evoter.cli.fit.manifest import KEY, find_files, make_manifest
from evoter.rules.files.writing import write_files

names, record = ["x.json", "x.txt", "x.html"], Path("x.fit.json")

def write(content, last=None):
    calls = [0]
    def wrapped(original):
        def call(*arguments, **options):
            calls[0] += 1
            if calls[0] == last:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(*arguments, **options)
        return call
    if last is not None:
        for name in ("open", "write", "fsync", "replace", "close"):
            setattr(os, name, wrapped(getattr(os, name)))
    contents = {Path(name): content.encode() for name in names}
    manifest = make_manifest(record, contents, ())
    text = json.dumps({"format": "evoter-fit", "content": content, KEY: manifest})
    write_files(contents | {record: text.encode()})

for number in range(1, 1000):
    write("old")
    child = os.fork()
    if not child:
        write("new", number)
        os._exit(0)
    killed = os.waitpid(child, 0)[1] == signal.SIGKILL
    state = {name: Path(name).read_text() for name in names}
    state["record"] = json.loads(record.read_text())["content"]
    print(json.dumps([state, find_files(Path("x.json")).others]))
    write("newer")
    assert sorted(os.listdir()) == sorted([*names, record.name]), os.listdir()
    if not killed:
        break
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL and advisory locks")
def test_whenever_it_is_killed_a_mixture_is_named_and_the_next_write_cleans_up(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED], cwd=tmp_path, env=ENVIRONMENT, check=True, capture_output=True, text=True
    )
    states = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(states) > 20
    for state, others in states:
        assert set(state.values()) <= {"old", "new"}
        assert others == [name for name in ("x.json", "x.txt", "x.html") if state[name] != state["record"]]
    mixtures = {tuple(state.values()) for state, _ in states}
    assert len(mixtures) == 5, "none, one, two, three and all four files replaced"
