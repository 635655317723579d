"""Tests of `evoter edit`: edits as options and as text, what they are said to change, and the log."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

import evoter
from commands import Terminal, fails, process, run, run_json
from evoter.rules.editing.logged_rules import LoggedRules, State, read_log

RULES = """
1. age > 55 -> high
2. smoker = true -> high
3. Default -> low

where
  age: numeric [20..90], may be missing
  smoker: yes/no
  actions: high | low
"""


@pytest.fixture
def rules(fitted_once: Path, folder: Path) -> Path:
    """Return a rule file beside a table of patients."""
    shutil.copy(fitted_once / "patients.csv", folder)
    path = folder / "rules.json"
    evoter.save(evoter.parse(RULES), path)
    return path


def lines(path: Path) -> list[str]:
    return evoter.load(path).to_text(declarations=False).splitlines()


def test_edits_are_made_in_their_order_and_logged(rules: Path) -> None:
    result = run(
        "edit", "rules.json", "patients.csv", "--target", "risk", "--move", "2:1", "--pin", "1",
        "--replace", "2: age > 60 -> high", "--add", "age < 25 -> low", "--rename", "3:the young", "--default", "high",
        "--drop", "2", "--reason", "the board said so", "--author", "Ada",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert lines(rules) == ["1. pinned: smoker = true -> high", '2. "the young": age < 25 -> low', "3. Default -> high"]
    shown = result.stdout.splitlines()
    assert shown[0] == "1. rule 2 becomes rule 1: smoker = true -> high"
    assert shown[1].startswith("   accuracy   ")
    assert shown[1].endswith(", as before")
    assert shown[2:4] == [
        "   decisions  0 of 240 rows decided otherwise",
        "   size       2 rules, 2 conditions, as before",
    ]
    assert "3. rule 2: age > 55 -> high becomes age > 60 -> high" in shown
    entry = read_log(rules).entries[-1]
    assert (entry.number, entry.author, entry.reason) == (2, "Ada", "the board said so")
    assert [step[0] for step in entry.steps] == ["move", "pin", "replace", "add", "rename", "set_default", "drop"]
    assert entry.effect["rows"] == 240
    assert len(entry.effect["accuracy"]) == 2
    assert f"entry 2 of its log has the hash {entry.hash}" in result.stderr
    assert LoggedRules.open(rules).state is State.LOGGED


def test_the_effect_is_that_of_the_rows(rules: Path) -> None:
    edits = ["edit", "rules.json", "patients.csv", "--target", "risk", "--replace", "1: age > 200 -> high"]
    found = run_json(*edits, "--dry-run")
    effect = found["edits"][0]["effect"]
    decisions = [
        run_json("check", path, "patients.csv", "--target", "risk")["accuracy"]
        for path in ("rules.json", _saved(rules, "age > 200 -> high"))
    ]
    assert effect["accuracy"] == decisions
    assert effect["flows"] == [["high", "low", effect["decided_otherwise"]]]
    assert effect["intervals"][0][0] < effect["accuracy"][0] < effect["intervals"][0][1]
    assert found["entry"] is None
    assert lines(rules)[0] == "1. age > 55 -> high"
    assert not (rules.parent / "rules.json.log").exists()


def _saved(rules: Path, first: str) -> str:
    path = rules.with_name("other.json")
    evoter.save(evoter.edit(evoter.load(rules)).replace(1, first).done(), path)
    return str(path)


def test_rules_may_read_other_columns_of_the_table(rules: Path) -> None:
    result = run("edit", "rules.json", "patients.csv", "--add", "region = north -> low", "--reason", "x")
    assert result.exit_code == 0, result.output
    assert evoter.load(rules).schema.feature("region").categories == ("north", "south", "west")
    assert "name the column of correct labels" in result.stderr
    hidden = fails("edit", "rules.json", "patients.csv", "--target", "risk", "--add", "risk = low -> low", "-r", "x")
    assert hidden[0] == "'risk = low -> low', column 1: unknown feature 'risk'"


def test_without_a_table_there_are_no_rows_to_speak_of(rules: Path) -> None:
    result = run("edit", "rules.json", "--drop", "1", "--reason", "x")
    assert result.stdout.splitlines() == [
        "1. rule 1 removed: age > 55 -> high",
        "   size       2 rules, 2 conditions  ->  1 rule, 1 condition",
        "   everywhere not the same on every input: low instead of high for age = 70, smoker = false",
    ]


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["--drop", "9"], "the rule set has no rule 9", "it has rules 1 to 2"),
        (["--replace", "age > 3 -> high"], "is not of the form N:RULE", 'write --replace "2: age > 65 -> high"'),
        (["--move", "2"], "--move '2' is not of the form N:M", "write --move 4:1"),
        (["patients.csv", "--move", "2", "1"], "--move '2' is not of the form N:M", "write --move 2:1"),
        (["--replace", "2", "age > 3 -> high"], "is not of the form N:RULE", 'write --replace "2: age > 3 -> high"'),
        (["--add", "aeg > 3 -> high"], "'aeg > 3 -> high', column 1: unknown feature 'aeg'", "did you mean 'age'?"),
        (["--default", "medium"], "the default: unknown action 'medium'", "known: 'high', 'low'"),
        (["--unpin", "1"], "unpin changes nothing", ""),
        (["--pin", "1", "--drop", "1"], "rule 1 is pinned: age > 55 -> high", "unpin it first"),
        (["--restore", "1"], "the log of rules.json has no entry 1", "there is no log yet"),
        (["--adopt"], "rules.json has no changes outside its log to adopt", ""),
        (["--reason", " ", "--drop", "1"], "the reason is empty", "--reason"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: list[str], message: str, hint: str, rules: Path) -> None:
    before = rules.read_bytes()
    reason = [] if "--reason" in arguments else ["--reason", "x"]
    said, remedy = fails("edit", "rules.json", *arguments, *reason)
    assert message in said
    assert hint in remedy
    assert rules.read_bytes() == before


def test_a_reason_is_needed_and_files_only(rules: Path) -> None:
    assert fails("edit", "rules.json", "--drop", "1")[0] == "an edit needs a reason, for the log"
    assert fails("edit", "-", "--drop", "1", "-r", "x")[0] == "edit changes a file, and standard input is none"
    assert fails("edit", "nothing.json", "--drop", "1", "-r", "x")[0] == "there is no file 'nothing.json'"
    (rules.parent / "bad.txt").write_text("age > 5 -> high\nDefault", encoding="utf-8")
    assert fails("edit", "bad.txt", "--drop", "1", "-r", "x")[0].startswith("bad.txt, line 2")


def test_changes_outside_the_log_are_adopted_or_reverted(rules: Path) -> None:
    run("edit", "rules.json", "--drop", "2", "-r", "first")
    rules.write_text(rules.read_text(encoding="utf-8").replace("55", "57"), encoding="utf-8")
    message, hint = fails("edit", "rules.json", "--drop", "1", "-r", "x")
    assert message == "rules.json is not as its log says"
    assert "--adopt" in hint
    adopted = run("edit", "rules.json", "patients.csv", "--adopt", "-r", "it was right")
    assert adopted.stdout.startswith("1. rule 1: age > 55 -> high becomes age > 57 -> high\n")
    restored = run_json("edit", "rules.json", "--restore", "1", "-r", "back to the beginning")
    assert restored["entry"]["number"] == 4
    assert evoter.load(rules) == evoter.parse(RULES)
    assert [entry.kind for entry in read_log(rules).entries] == ["begin", "edit", "adopt", "restore"]


def test_the_column_of_the_fit_is_known_after_edits(fitted_once: Path, folder: Path) -> None:
    for name in ("patients.csv", "patients.rules.json", "patients.rules.fit.json"):
        shutil.copy(fitted_once / name, folder)
    for number in range(2):
        result = run("edit", "patients.rules.json", "patients.csv", "--add", f"age > {150 + number} -> high", "-r", "x")
        assert "   accuracy   " in result.stdout
        assert "of these rows were used for training, so the accuracy is optimistic" in result.stderr
    assert run_json("check", "patients.rules.json", "patients.csv")["accuracy"] > 0.5
    verified = run_json("verify", "patients.rules.json")
    assert "begins" in [finding["about"] for finding in verified["findings"]]


def test_comments_of_text_files_are_not_kept_and_that_is_said(folder: Path) -> None:
    (folder / "rules.txt").write_text(f"# from the handbook\n{RULES}", encoding="utf-8")
    result = run("edit", "rules.txt", "--drop", "1", "-r", "x")
    assert "warning: the comments of rules.txt are not kept" in result.stderr
    assert (folder / "rules.txt").read_text(encoding="utf-8").startswith("1. smoker = true -> high\n")


def editor(folder: Path, code: str) -> str:
    """Return the command of an editor that runs Python code on the text `t`."""
    script = folder / "editor.py"
    script.write_text(
        f"import sys\np = sys.argv[1]\nt = open(p).read()\nopen('seen.txt', 'w').write(t)\n{code}\nopen(p, 'w').write(t)\n",
        encoding="utf-8",
    )
    return f'"{sys.executable}" "{script}"'


def test_rules_are_edited_as_text(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    declared = (
        "t = t.replace('\\nwhere', '\\nwhere\\n  ward: numeric [1..4]').replace('3. D', 'ward > 3 -> low\\n3. D')"
    )
    monkeypatch.setenv("EDITOR", editor(rules.parent, declared))
    result = run("edit", "rules.json", "patients.csv", "--target", "risk", "--reason", "wards differ")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[:2] == [
        "1. rule 3 added: ward > 3 -> low",
        "   feature added: ward: numeric [1..4]",
    ]
    assert lines(rules)[2] == "3. ward > 3 -> low"
    seen = (rules.parent / "seen.txt").read_text(encoding="utf-8")
    assert "#   ward: numeric [1..4]\n" in seen
    assert "risk" not in seen


def test_text_that_is_not_changed_changes_nothing(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", editor(rules.parent, ""))
    result = run("edit", "rules.json", "--reason", "x")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "nothing was changed" in result.stderr
    assert not (rules.parent / "rules.json.log").exists()
    assert run_json("edit", "rules.json", "patients.csv", "--reason", "x")["edits"] == []


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("t = t.replace('age >', 'aeg >')", "line 2, column 4: unknown feature 'aeg'"),
        ("sys.exit(3)", "ended with code 3"),
    ],
)
def test_text_that_makes_no_sense_is_not_lost(
    code: str, message: str, rules: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("VISUAL", editor(rules.parent, code))
    said, hint = fails("edit", "rules.json", "--reason", "x")
    assert message in said
    assert hint.startswith("nothing was changed; your text is in ")
    assert "3. Default" in Path(hint.rpartition(" ")[2]).read_text(encoding="utf-8")


def test_an_editor_that_is_not_there(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor --wait")
    assert "'no-such-editor' cannot be started" in fails("edit", "rules.json", "-r", "x")[0]
    monkeypatch.delenv("VISUAL")
    monkeypatch.delenv("EDITOR", raising=False)
    assert fails("edit", "rules.json", "-r", "x")[0] == "there is no editor to open the rules in"


def test_somebody_else_was_faster(rules: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    other = f"import subprocess; subprocess.run({[sys.executable, '-c', _OTHER]!r}, check=True)"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setenv("VISUAL", editor(rules.parent, f"{other}\nt = t.replace('55', '56')"))
    message, hint = fails("edit", "rules.json", "--reason", "mine")
    assert message == "rules.json was changed by Bob (his) since it was opened"
    assert "your text is in" in hint
    assert lines(rules)[-1] == "3. Default -> high"


_OTHER = (
    "from evoter import edit; from evoter.rules.editing.logged_rules import LoggedRules as L; o = L.open('rules.json'); "
    "o.commit(edit(o.ruleset).set_default('high').done(), reason='his', author='Bob')"
)


def test_in_a_terminal_the_reason_is_asked_for(rules: Path) -> None:
    terminal = Terminal("edit", "rules.json", "--drop", "1", folder=rules.parent)
    terminal.read_until("Why do the rules change?")
    terminal.type("they are old")
    assert terminal.end() == 0
    assert read_log(rules).entries[-1].reason == "they are old"
    terminal = Terminal("edit", "rules.json", "--drop", "1", folder=rules.parent)
    terminal.read_until("Why do the rules change?")
    terminal.type("")
    assert terminal.end() == 2
    assert len(read_log(rules).entries) == 2


def test_as_a_process_of_its_own(rules: Path) -> None:
    done = process("edit", "rules.json", "--drop", "1", "--reason", "x", "--json", folder=rules.parent)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["entry"]["number"] == 2


def test_edits_say_what_holds_on_every_input(rules: Path) -> None:
    """Rows cannot tell: nobody in the table is older than 90."""

    def told(*edit: str) -> str:
        shown = run("edit", "rules.json", "patients.csv", "--target", "risk", *edit, "--dry-run").stdout
        return next(line for line in shown.splitlines() if line.startswith("   everywhere"))

    assert told("--move", "2:1") == "   everywhere the same decisions on every input: proved"
    assert told("--insert", "1: age > 95 AND smoker = false -> low").startswith(
        "   everywhere not the same on every input: low instead of high for age = "
    )
