"""The list of the paper's claims names tests, commands and pages that exist, and counts its states rightly."""

import re
from collections import Counter

from evoter.experiments import catalogue
from project import ROOT

PAGE = ROOT / "docs" / "paper_audit.md"
STATES = ("works", "partly", "differs", "illustration")
ROW = re.compile(r"^\| (\d+) \| (.+?) \| (\w+) \| (.+?) \| (.*?) \|$", re.MULTILINE)


def rows() -> list[tuple[str, ...]]:
    return ROW.findall(PAGE.read_text(encoding="utf-8"))


def test_items_are_numbered_and_have_a_state_with_a_reason() -> None:
    found = rows()
    assert len(found) > 100
    assert [int(number) for number, *_ in found] == list(range(1, len(found) + 1))
    for number, claim, state, _, remark in found:
        assert state in STATES, f"{number}: {claim}"
        assert remark.strip() or state in ("works", "illustration"), f"{number} needs a reason: {claim}"


def test_states_are_counted() -> None:
    text = PAGE.read_text(encoding="utf-8")
    counts = Counter(state for _, _, state, _, _ in rows())
    for state in STATES:
        assert f"| {state} | {counts[state]} |" in text


def test_what_shows_a_claim_exists() -> None:
    for number, _, _, shown, remark in rows():
        for path, name in re.findall(r"`((?:tests|benchmarks)/[\w/]+\.py)(?:::(\w+))?", shown + remark):
            assert (ROOT / path).exists(), f"{number}: {path}"
            if name:
                assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8"), f"{number}: {path}::{name}"
        for command in re.findall(r"python (benchmarks/\w+\.py)", shown):
            assert (ROOT / command).exists(), f"{number}: {command}"
        for names in re.findall(r"`evoter reproduce ([^`]+)`", shown):
            assert {name for name in names.split() if not name.startswith("--")} <= set(catalogue()), (
                f"{number}: {names}"
            )
