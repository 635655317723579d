"""Tests of the log of edits: whatever is changed in it is found, and where."""

import json
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evoter
from evoter.rules.editing.chain import NO_ENTRY
from evoter.rules.editing.log import Entry, EntryKind, make_log, parse_log, rules_document
from evoter.rules.errors import RuleError
from laws import examples

RULES = rules_document(evoter.parse("age > 60 -> old; Default -> young"))


def entry(number: int, **changes: object) -> Entry:
    fields: dict[str, object] = {
        "number": number,
        "time": datetime(2026, 11, 18, number, tzinfo=UTC).isoformat(),
        "author": "Ada",
        "kind": EntryKind.EDIT,
        "reason": f"reason {number}, gültig",
        "changes": ("rule 1 removed: age > 60 -> old",),
        "rules": RULES,
        "file_sha256": f"{number:064x}",
        "steps": (("replace", 1, "age > 61 -> old"), ("set_default", "old", 0.5)),
        "effect": {"accuracy": [0.5, None], "rows": 3},
    }
    return Entry(**(fields | changes))  # type: ignore[arg-type]


CHAIN = make_log(entry(number) for number in range(1, 5))
LINES = [each.line() for each in CHAIN]
CONTENT = b"".join(LINES)


def test_a_log_is_read_as_it_was_written() -> None:
    log = parse_log(CONTENT)
    assert log.entries == tuple(CHAIN)
    assert (log.broken, log.n_torn, log.n_bytes) == (None, 0, len(CONTENT))
    assert log.head == CHAIN[-1].hash
    assert log.entries[0].previous == NO_ENTRY
    assert log.entries[0].ruleset == evoter.parse("age > 60 -> old; Default -> young")
    assert parse_log(b"").head == NO_ENTRY


@given(st.integers(0, len(CONTENT) - 1), st.integers(1, 255))
@examples(1000)
def test_a_changed_byte_is_found_where_it_is(position: int, difference: int) -> None:
    changed = bytearray(CONTENT)
    changed[position] ^= difference
    line = CONTENT.count(b"\n", 0, position) + 1
    log = parse_log(bytes(changed))
    assert log.entries == tuple(CHAIN[: line - 1])
    if position == len(CONTENT) - 1:  # the last line break: what is left looks like an unfinished entry
        assert log.broken is None
        assert log.n_torn > 0
    else:
        assert log.broken is not None
        assert log.broken.line == line


@given(st.integers(0, len(CONTENT) - 1))
@examples(300)
def test_what_a_crash_leaves_is_the_entries_before_it(length: int) -> None:
    log = parse_log(CONTENT[:length])
    assert log.broken is None
    assert log.entries == tuple(CHAIN[: CONTENT.count(b"\n", 0, length)])
    assert log.n_bytes + log.n_torn == length


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([0, 2, 3], "line 2: entry 2 should be here, and entry 3 is: entries were removed or moved"),
        ([1, 2, 3], "line 1: entry 1 should be here, and entry 2 is"),
        ([0, 2, 1, 3], "line 2: entry 2 should be here, and entry 3 is"),
        ([0, 1, 1, 2], "line 3: entry 3 should be here, and entry 2 is"),
    ],
)
def test_lines_removed_moved_and_repeated_are_found(lines: list[int], message: str) -> None:
    broken = parse_log(b"".join(LINES[line] for line in lines)).broken
    assert str(broken).startswith(message)


def test_an_exchanged_entry_is_found_at_the_next() -> None:
    forged = entry(2, reason="another").chained(CHAIN[1].previous)
    broken = parse_log(b"".join([LINES[0], forged.line(), *LINES[2:]])).broken
    assert str(broken).startswith(f"line 3: entry 3 does not follow: it names {CHAIN[1].hash}")


def test_a_chain_that_was_written_anew_is_whole() -> None:
    """What the log cannot prove: its hash has to be noted elsewhere."""
    forged = make_log(entry(number, reason="another") for number in range(1, 5))
    log = parse_log(b"".join(each.line() for each in forged))
    assert log.broken is None
    assert log.head != CHAIN[-1].hash


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 2}, "version: must be 1, not 2; a newer evoter"),
        ({"format": "x"}, 'format: must be "evoter-edit-log", not "x"'),
        ({"kind": "guess"}, "kind: must be one of"),
        ({"number": 0}, "number: must be a whole number"),
        ({"hash": "x"}, "hash: must be a SHA-256"),
        ({"steps": [["drop", None]]}, r"steps\[0\]\[1\]: must be text or a number"),
        ({"changes": "x"}, "changes: must be a list"),
        ({"rules": {}}, "rules: the key 'format' is missing"),
        ({"more": 1}, "unknown key"),
    ],
)
def test_what_is_no_entry_is_refused(changes: dict[str, object], message: str) -> None:
    fields = json.loads(LINES[0]) | changes
    broken = parse_log(json.dumps(fields).encode() + b"\n").broken
    assert broken is not None
    assert broken.line == 1
    assert re.search(message, broken.message)


def test_untrusted_lines_are_harmless() -> None:
    for line in (
        b"",
        b"[" * 100_000,
        b'{"a":1,"a":2}',
        b"\xff\xfe",
        b'{"format":"evoter-edit-log","version":1}',
        b"1e999",
    ):
        broken = parse_log(line + b"\n").broken
        assert broken is not None, line
        assert broken.line == 1
    spaced = LINES[0].replace(b'","', b'", "', 1)
    assert "was written anew" in str(parse_log(spaced).broken)


def test_what_json_cannot_hold_is_refused() -> None:
    for reason, effect in (("\ud800", {}), ("fine", {"accuracy": float("nan")})):
        with pytest.raises(RuleError, match="what JSON cannot"):
            entry(1, reason=reason, effect=effect).chained(NO_ENTRY)
