"""Tests of rule files with a log: edits are written whole, whoever writes at once and whenever a crash comes."""

import os
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

import pytest

import evoter
from evoter.rules.editing.log import EntryKind
from evoter.rules.editing.logged_rules import (
    EditConflictError,
    LoggedRules,
    State,
    log_path,
    login_name,
    read_log,
)
from evoter.rules.editing.verification import verify
from evoter.rules.errors import RuleError
from faults import OPERATIONS, faults

TEXT = "age > 60 -> old; Default -> young"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A rule file without a log."""
    path = tmp_path / "rules.json"
    evoter.save(evoter.parse(TEXT), path)
    return path


def change(path: Path, age: int, **options: object) -> LoggedRules:
    """Change the age of the first rule, and open the rules again."""
    opened = LoggedRules.open(path)
    editor = evoter.edit(opened.ruleset).replace(1, f"age > {age} -> old")
    opened.commit(editor.done(), reason=f"since {age}", author="Ada", steps=editor.steps, **options)  # type: ignore[arg-type]
    return LoggedRules.open(path)


def test_edits_are_logged(rules: Path) -> None:
    assert LoggedRules.open(rules).state is State.NO_LOG
    change(rules, 61, when=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), effect={"rows": 3})
    again = change(rules, 62)
    assert again.state is State.LOGGED
    begin, first, second = again.log.entries
    assert (begin.kind, begin.author, begin.ruleset) == (EntryKind.BEGIN, "Ada", evoter.parse(TEXT))
    assert (first.time, first.reason, first.effect) == ("2026-01-02T03:04:05Z", "since 61", {"rows": 3})
    assert first.changes == ("rule 1: age > 60 -> old becomes age > 61 -> old",)
    assert first.steps == (("replace", 1, "age > 61 -> old"),)
    assert second.ruleset == evoter.load(rules) == again.ruleset


def test_text_files_stay_text(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text(TEXT, encoding="utf-8")
    assert change(path, 61).state is State.LOGGED
    assert path.read_text(encoding="utf-8").startswith("1. age > 61 -> old\n")


def test_other_formats_are_refused(tmp_path: Path) -> None:
    from evoter.rules.leaf import dumps_leaf

    path = tmp_path / "leaf.json"
    bounded = evoter.parse(TEXT + "; where age: numeric [0..99]; actions: old | young; decide: vote")
    path.write_text(dumps_leaf(bounded), encoding="utf-8")
    with pytest.raises(RuleError, match="convert it first"):
        LoggedRules.open(path)


def test_a_reason_and_an_author_are_needed(rules: Path) -> None:
    opened = LoggedRules.open(rules)
    for reason in ("", "  \n"):
        with pytest.raises(RuleError, match="an edit needs a reason"):
            opened.commit(opened.ruleset, reason=reason)
    with pytest.raises(RuleError, match="the reason has 20,000 characters"):
        opened.commit(opened.ruleset, reason="x" * 20_000)
    assert not log_path(rules).exists()
    assert login_name()


def test_changes_outside_the_log_are_found_and_can_be_adopted_or_reverted(rules: Path) -> None:
    change(rules, 61)
    outside = evoter.parse("age > 99 -> old; Default -> young")
    evoter.save(outside, rules)
    opened = LoggedRules.open(rules)
    assert opened.state is State.CHANGED
    with pytest.raises(RuleError, match="is not as its log says"):
        opened.commit(opened.ruleset, reason="x")
    before = rules.read_bytes()
    adopted = opened.commit(opened.ruleset, reason="by hand", kind=EntryKind.ADOPT)
    assert rules.read_bytes() == before
    assert adopted.changes == ("rule 1: age > 61 -> old becomes age > 99 -> old",)
    opened = LoggedRules.open(rules)
    assert opened.state is State.LOGGED
    with pytest.raises(RuleError, match="no changes outside its log"):
        opened.commit(opened.ruleset, reason="x", kind=EntryKind.ADOPT)
    opened.commit(opened.log.entries[0].ruleset, reason="back", kind=EntryKind.RESTORE)
    assert evoter.load(rules) == evoter.parse(TEXT)
    assert verify(rules).passed


def test_an_unreadable_file_can_be_restored(rules: Path) -> None:
    change(rules, 61)
    rules.write_text("nothing like rules", encoding="utf-8")
    opened = LoggedRules.open(rules)
    assert opened.state is State.UNREADABLE
    for kind in (EntryKind.EDIT, EntryKind.ADOPT):
        with pytest.raises(RuleError, match=r"cannot be read.*; restore entry 2"):
            opened.commit(opened.ruleset, reason="x", kind=kind)
    opened.commit(opened.ruleset, reason="overwritten by mistake", kind=EntryKind.RESTORE)
    assert LoggedRules.open(rules).state is State.LOGGED


def test_a_broken_log_is_not_continued(rules: Path) -> None:
    change(rules, 61)
    log = log_path(rules)
    log.write_bytes(log.read_bytes().replace(b"since 61", b"since 16"))
    with pytest.raises(RuleError, match=r"the log of rules\.json is broken at line 2: entry 2 was changed"):
        change(rules, 62)


def test_what_a_crash_left_of_an_entry_is_cut_off(rules: Path) -> None:
    change(rules, 61)
    log = log_path(rules)
    log.write_bytes(log.read_bytes() + b'{"author":"A')
    assert LoggedRules.open(rules).state is State.LOGGED
    again = change(rules, 62)
    assert [entry.reason for entry in again.log.entries[1:]] == ["since 61", "since 62"]
    assert (again.state, again.log.n_torn) == (State.LOGGED, 0)


def test_edits_of_the_same_version_conflict(rules: Path) -> None:
    mine = LoggedRules.open(rules)
    change(rules, 61)
    with pytest.raises(EditConflictError, match=r"rules.json was changed by Ada \(since 61\) since it was opened"):
        mine.commit(mine.ruleset, reason="too late")
    assert len(read_log(rules).entries) == 2


def test_whichever_call_fails_nothing_is_half_done(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change(rules, 61)
    n_failed = 0
    for age, _ in enumerate(faults(monkeypatch), start=62):
        n_before = len(read_log(rules).entries)
        try:
            change(rules, age)
        except OSError:
            n_failed += 1
            assert len(read_log(rules).entries) == n_before
        else:
            assert len(read_log(rules).entries) == n_before + 1
        assert verify(rules).passed
    assert n_failed > 5


def test_a_killed_writer_leaves_a_state_that_is_recognised(rules: Path) -> None:
    """Kill the process at each writing call in turn; the log is whole, and the file is that of one of two entries."""
    change(rules, 61)
    states = set()
    for number in range(40):
        child = os.fork()
        if child == 0:
            _die_at(number)
            change(rules, 70 + number)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        opened = LoggedRules.open(rules)
        assert opened.log.broken is None
        assert opened.state in (State.LOGGED, State.UNWRITTEN)
        states.add(opened.state)
        if opened.state is State.UNWRITTEN:
            assert not verify(rules).passed
            opened.commit(opened.log.entries[-1].ruleset, reason="finish it", kind=EntryKind.RESTORE)
        assert verify(rules).passed
        if status == 0:
            break
    assert states == {State.LOGGED, State.UNWRITTEN}
    assert status == 0, "the edit has fewer writing calls than this"


def _die_at(number: int) -> None:
    calls: list[str] = []

    def wrapped(original: object) -> object:
        def call(*arguments: object, **options: object) -> object:
            calls.append("")
            if len(calls) - 1 == number:
                os._exit(9)
            return original(*arguments, **options)  # type: ignore[operator]

        return call

    for name in OPERATIONS:
        setattr(os, name, wrapped(getattr(os, name)))


def _edit_repeatedly(path: Path, author: str, n: int) -> None:
    for number in range(n):
        while True:
            opened = LoggedRules.open(path)
            editor = evoter.edit(opened.ruleset).add(f"age < {number} -> young")
            try:
                opened.commit(editor.done(), reason=f"{author} {number}", author=author, steps=editor.steps)
                break
            except EditConflictError:
                continue


def test_writers_at_once_lose_nothing(rules: Path) -> None:
    context = get_context("fork")
    writers = [context.Process(target=_edit_repeatedly, args=(rules, name, 8)) for name in ("Ada", "Bob", "Cy")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    assert verify(rules).passed
    entries = read_log(rules).entries
    assert len(entries) == 25
    assert len({entry.reason for entry in entries}) == 25
    assert len(evoter.load(rules).rules) == 25
