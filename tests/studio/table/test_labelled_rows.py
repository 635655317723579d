"""Decisions on rows that are read once equal those of a table that is read anew, whatever rules came before."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter import parse
from evoter.analysis.rule_statistics import measure
from evoter.rules.errors import SchemaError
from evoter.studio.table.labelled_rows import N_KEPT, LabelledRows
from laws import examples
from studios import patients

CLASSES = ("high", "low")
ACTIONS = "\nwhere\n  age: numeric\n  pressure: numeric\n  smoker: one of no | yes\n  sugar: numeric, may be missing\n"
CONDITIONS = st.sampled_from(
    ["age > 50", "pressure <= 130", "smoker = yes", "sugar is missing", "sugar > 5", "age + pressure > 190"]
)


def labelled() -> LabelledRows:
    """Return all patients as rows with labels."""
    frame, labels = patients()
    codes = np.array([CLASSES.index(label) for label in labels], np.int64)
    return LabelledRows(frame, np.arange(len(frame)), codes, CLASSES)


SHARED = labelled()


@examples(100)
@given(st.lists(st.lists(CONDITIONS, min_size=1, max_size=2), max_size=4), st.sampled_from(["first", "vote"]))
def test_decisions_and_tallies_equal_those_of_the_table(rules: list[list[str]], mode: str) -> None:
    lines = [f"{' AND '.join(rule)} -> {CLASSES[number % 2]}" for number, rule in enumerate(rules)]
    text = "\n".join([*lines, "Default -> low"]) + f"{ACTIONS}  actions: high | low\n"
    ruleset = parse(text).replace(mode=mode)
    frame, labels = patients()
    found, expected = SHARED.decide(ruleset), measure(ruleset, frame, labels)
    assert [CLASSES[code] for code in found.classes] == expected.predictions.tolist()
    tallies = found.tally(np.ones(len(SHARED), np.bool_))
    for name in ("held", "decided", "correct"):
        assert getattr(tallies, name).tolist() == [getattr(rule, name) for rule in expected.rules], name


def test_tallies_of_parts_add_up() -> None:
    found = SHARED.decide(parse("age > 60 -> high; pressure > 140 -> high; Default -> low"))
    some = np.arange(len(SHARED)) % 3 == 0
    whole = found.tally(np.ones_like(some))
    for name in ("held", "decided", "correct"):
        assert np.array_equal(
            getattr(found.tally(some), name) + getattr(found.tally(~some), name), getattr(whole, name)
        )


def test_only_the_last_decisions_are_kept() -> None:
    rows = labelled()
    first = parse("age > 20 -> high; Default -> low")
    kept = rows.decide(first)
    assert rows.decide(first) is kept
    for number in range(N_KEPT):
        rows.decide(parse(f"age > {30 + number} -> high; Default -> low"))
    assert rows.decide(first) is not kept


def test_rules_that_read_another_column_are_refused() -> None:
    with pytest.raises(SchemaError, match=r"cannot read 'agee'.*did you mean 'age'"):
        SHARED.decide(parse("agee > 20 -> high; Default -> low"))
