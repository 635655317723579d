"""Tests that tables are read as rules read them, and that whatever does not fit is told."""

from datetime import date
from pathlib import Path

import polars as pl
import pytest

import evoter
from evoter.cli.output import Failure
from evoter.cli.rule_files import RuleFile
from evoter.cli.tables.files import Source
from evoter.cli.tables.rule_tables import fit_to_rules, labels_of, require_columns

RULES = evoter.parse(
    """
age > 50 AND grade = 2 -> 1
wild = true -> 0
Default -> 0
where
  age: numeric [0..99]
  grade: one of 1 | 2
  wild: yes/no
  actions: "0" | "1"
""".replace("-> 1", '-> "1"')
    .replace("-> 0", '-> "0"')
    .replace("= 2", '= "2"')
    .replace("1 | 2", '"1" | "2"')
)


def rule_file(ruleset: evoter.RuleSet = RULES) -> RuleFile:
    return RuleFile("m.json", ruleset)


def table(**columns: list[object]) -> Source:
    return Source("t", pl.DataFrame(columns, strict=False), "")


def test_text_and_typed_columns_mean_the_same() -> None:
    text = table(age=["60", "", "7"], grade=["2", "1", "?"], wild=["TRUE", "false", "1"])
    typed = table(age=[60, None, 7], grade=[2, 1, None], wild=[True, False, True])
    floats = table(age=[60.0, None, 7.0], grade=[2.0, 1.0, None], wild=[1, 0, 1])
    frames = [fit_to_rules(rule_file(), source).frame for source in (text, typed, floats)]
    assert frames[0].rows() == [(60.0, "2", True), (None, "1", False), (7.0, None, True)]
    assert frames[0].equals(frames[1])
    assert frames[0].equals(frames[2])


def test_misfits_are_named() -> None:
    found = fit_to_rules(rule_file(), table(age=["60", "x", "140"], grade=["2", "3", "1"], wild=["yes", "true", ""]))
    told = {(each.column, each.fatal): each.message for each in found.misfits}
    assert set(told) == {("age", True), ("age", False), ("grade", False), ("wild", True), ("wild", False)}


def test_texts_that_the_rules_declare_as_missing_are_no_misfits() -> None:
    rules = RULES.replace(schema=RULES.schema.with_feature("age", missing_texts=("x", "-9"), missing=True))
    source = table(age=["60", "X", "-9.0"], grade=["2", "1", "2"], wild=["true", "false", "true"])
    found = fit_to_rules(rule_file(rules), source)
    assert found.frame["age"].to_list() == [60.0, None, None]
    assert not found.misfits
    typed = fit_to_rules(rule_file(rules), table(age=[60, -9, 1], grade=[2, 1, 2], wild=[1, 0, 1]))
    assert typed.frame["age"].to_list() == [60.0, None, 1.0]


def test_a_decimal_comma_that_the_rules_declare_is_read_in_any_table() -> None:
    rules = RULES.replace(schema=RULES.schema.with_feature("age", decimal_comma=True))
    cells = table(age=["1,234", "5.5", "7"], grade=["2", "1", "2"], wild=["true", "false", "true"])
    assert fit_to_rules(rule_file(rules), cells).frame["age"].to_list() == [1.234, 5.5, 7.0]
    assert fit_to_rules(rule_file(), cells).frame["age"].to_list() == [1234.0, 5.5, 7.0]


def test_columns_that_cannot_be_read_are_absent() -> None:
    found = fit_to_rules(rule_file(), table(age=[date(2024, 1, 1)], grade=["2"]))
    assert found.absent == ("age", "wild")
    with pytest.raises(Failure, match=r"t: 'age', which the rules read \(and 1 more\), holds Date, not numbers"):
        require_columns(found)
    with pytest.raises(Failure, match=r"t has no column 'wild', which the rules read$"):
        require_columns(fit_to_rules(rule_file(), table(age=[60], grade=["2"])))


def test_dates_that_were_learnt_as_categories_are_read_as_such() -> None:
    days = evoter.parse('day = "2024-01-01" -> a; Default -> b')
    found = fit_to_rules(rule_file(days), table(day=[date(2024, 1, 1), date(2024, 1, 2)]))
    assert (found.absent, found.frame["day"].to_list()) == ((), ["2024-01-01", "2024-01-02"])


def test_labels_are_called_as_the_rules_call_them() -> None:
    source = table(age=[60, 1, 2], grade=["2", "1", "1"], wild=[True, False, True], y=["1.0", "NA", "0"])
    found = fit_to_rules(rule_file(), source)
    assert labels_of(rule_file(), found, "y") == ([0, 2], ["1", "0"])
    assert labels_of(rule_file(), found, None) is None
    with pytest.raises(Failure, match="has no column 'z'"):
        labels_of(rule_file(), found, "z")


def test_a_column_of_labels_that_is_asked_for_has_values() -> None:
    source = table(age=[60, 1], grade=["2", "1"], wild=[True, False], y=["", "NA"])
    found = fit_to_rules(rule_file(), source)
    with pytest.raises(Failure, match="the column 'y' of t has no values"):
        labels_of(rule_file(), found, "y")


def test_rules_without_conditions_need_no_columns(tmp_path: Path) -> None:
    from evoter.analysis.rule_statistics import measure

    rules = evoter.RuleSet((), "a", evoter.Schema([], ["a", "b"]))
    found = fit_to_rules(rule_file(rules), table(x=[1, 2, 3]))
    assert measure(rules, found.frame).predictions.tolist() == ["a", "a", "a"]
