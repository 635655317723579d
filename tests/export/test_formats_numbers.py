"""Rule sets whose actions are numbers: every export predicts what the interpreter does, run by other programs."""

import math
import re
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evoter.export import to_c, to_javascript, to_python
from evoter.rules.errors import RuleError
from evoter.rules.interpreter import estimate
from evoter.rules.leaf import dumps_leaf
from evoter.rules.model import Mode, RuleSet
from evoter.rules.parser import parse
from exporting import Case, fitted, hostile_case, random_case, ways
from laws import n_cases
from numeric_rules import with_numbers

from exported import WAYS  # isort: skip

REFUSALS = "cannot contain|cannot tell the columns|too wide to scale|Excel has no numbers"
ROUNDED = {"Excel in IronCalc", "DMN in feelin", "Excel in LibreOffice"}
"""What computes in decimal numbers, or shows numbers with fewer digits."""

DEEP = {
    "Python": 200,
    "JavaScript in node": 60,
    "C, compiled": 60,
    "SQL in SQLite": 200,
    "SQL in DuckDB": 40,
    "DMN in feelin": 40,
    "Excel in IronCalc": 40,
    "PMML in pypmml": 40,
    "ONNX in onnxruntime": 60,
    "JSON, read back": 40,
    "text, read back": 40,
}


def numeric_case(seed: int) -> Case:
    """A random rule set with numbers instead of names, without infinite values, on which linear terms are infinite."""
    case = random_case(seed, [Mode.FIRST])
    table = {
        name: [None if isinstance(value, float) and not abs(value) < 1e60 else value for value in values]
        for name, values in case.table.items()
    }
    return Case(with_numbers(case.ruleset, Random(seed)), table, case.decisions)


def estimates(ruleset: RuleSet, table: dict[str, list[object]]) -> list[float]:
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    return [estimate(ruleset, row) for row in rows]


def assert_alike(way: str, taken: Sequence[object], expected: Sequence[float]) -> None:
    assert len(taken) == len(expected)
    for found, wanted in zip(taken, expected, strict=True):
        if math.isnan(wanted):
            assert found is None or found in ("#N/A", "N/A", "") or math.isnan(float(found))  # type: ignore[arg-type]
        elif way in ROUNDED:
            assert math.isclose(float(found), wanted, rel_tol=1e-6, abs_tol=1e-6)  # type: ignore[arg-type]
        else:
            assert float(found) == wanted  # type: ignore[arg-type]


@pytest.mark.parametrize(("way", "n"), ways(DEEP))
def test_exports_predict_as_the_interpreter_does(way: str, n: int) -> None:
    @settings(max_examples=n_cases(n))
    @given(st.integers(0, 2**32))
    def law(seed: int) -> None:
        case = fitted(numeric_case(seed), WAYS[way].fitting)
        try:
            taken = WAYS[way].run(case.ruleset, case.table)
        except RuleError as error:
            if not re.search(REFUSALS, str(error)):
                raise
        else:
            assert_alike(way, taken, estimates(case.ruleset, case.table))  # type: ignore[arg-type]

    law()


@pytest.mark.parametrize(
    "way", ways(["Python", "JavaScript in node", "C, compiled", "SQL in DuckDB", "ONNX in onnxruntime"])
)
def test_hostile_names_are_nothing_but_names(way: str) -> None:
    case = hostile_case()
    ruleset = with_numbers(case.ruleset, Random(1))
    assert_alike(way, WAYS[way].run(ruleset, case.table), estimates(ruleset, case.table))  # type: ignore[arg-type]


def test_numbers_have_no_other_values_and_no_form_in_leaf_files() -> None:
    rules = parse("age > 50 -> 12 + 0.3*age; Default -> 8.5")
    assert "return 12.0 + 0.3 * age" in to_python(rules)
    assert "return (12.0 + 0.3 * age);" in to_javascript(rules)
    assert "double decide(" in to_c(rules)
    for write in (to_python, to_javascript):
        with pytest.raises(RuleError, match="these rules give numbers"):
            write(rules, actions=[1, 2])
    with pytest.raises(RuleError, match="leaf-common has no numeric actions"):
        dumps_leaf(rules)
