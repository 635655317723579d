"""Every language says what the interpreter says: the same rule sets and rows, run by other programs."""

import re
import shutil
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evoter.rules.errors import RuleError
from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes import mode_of
from evoter.rules.parser import parse
from exporting import decided, hostile_case, random_case, without_lags
from laws import examples
from strategies import Value, rows, rulesets

from exported import RUNS, Table, run_duckdb, run_onnx, run_pmml, run_python, run_sqlite  # isort: skip

ONE_ACTION = [mode for mode in Mode if not mode_of(mode).several_actions]
SEEDS = st.integers(0, 2**32)

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="pypmml runs PMML in Java: install a Java runtime")


@examples(200)
@given(SEEDS)
def test_python_decides_as_the_interpreter_does(seed: int) -> None:
    case = random_case(seed, ONE_ACTION)
    assert run_python(case.ruleset, case.table) == case.labels


@examples(100)
@given(SEEDS)
def test_python_returns_all_actions(seed: int) -> None:
    case = random_case(seed, [Mode.ALL])
    actions = [decision.actions for decision in case.decisions]
    assert list(map(tuple, run_python(case.ruleset, case.table))) == actions


@examples(200)
@given(SEEDS)
def test_sqlite_decides_as_the_interpreter_does(seed: int) -> None:
    case = random_case(seed, ONE_ACTION)
    assert run_sqlite(case.ruleset, case.table) == case.labels


@examples(40)
@given(SEEDS)
def test_duckdb_decides_as_the_interpreter_does(seed: int) -> None:
    case = random_case(seed, ONE_ACTION)
    assert run_duckdb(case.ruleset, case.table) == case.labels


@examples(40)
@given(SEEDS)
def test_onnxruntime_decides_as_the_interpreter_does(seed: int) -> None:
    case = random_case(seed)
    assert run_onnx(case.ruleset, case.table) == case.labels


@needs_java
@examples(40)
@given(SEEDS)
def test_pypmml_decides_as_the_interpreter_does(seed: int) -> None:
    case = random_case(seed, ONE_ACTION)
    assert run_pmml(case.ruleset, case.table) == case.labels


REFUSALS = "cannot contain|cannot tell the columns|too wide to scale"
"""What random names and ranges may be refused for."""


@pytest.mark.parametrize(
    ("run", "n"),
    [
        (run_python, 60),
        (run_sqlite, 60),
        (run_onnx, 30),
        (run_duckdb, 20),
        pytest.param(run_pmml, 15, marks=needs_java),
    ],
)
def test_random_names_are_nothing_but_names(run: Callable[[RuleSet, Table], list[str]], n: int) -> None:
    @settings(max_examples=n)
    @given(st.data())
    def law(data: st.DataObject) -> None:
        ruleset = without_lags(data.draw(rulesets())).replace(mode=data.draw(st.sampled_from(ONE_ACTION)))
        drawn = data.draw(st.lists(rows(ruleset.schema), min_size=1, max_size=10))
        case = decided(ruleset, drawn, Random(0))
        try:
            taken = run(ruleset, case.table)
        except RuleError as error:
            if not re.search(REFUSALS, str(error)):
                raise
        else:
            assert taken == case.labels

    law()


@pytest.mark.parametrize("mode", ONE_ACTION)
@pytest.mark.parametrize("run", RUNS)
def test_hostile_names_are_nothing_but_names(run: str, mode: Mode) -> None:
    if "pypmml" in run and shutil.which("java") is None:
        pytest.skip("pypmml runs PMML in Java: install a Java runtime")
    case = hostile_case(mode)
    assert len(set(case.labels)) > 10
    assert RUNS[run](case.ruleset, case.table) == case.labels


@pytest.mark.parametrize("mode", ONE_ACTION)
@pytest.mark.parametrize("run", RUNS)
def test_whole_numbers_that_are_categories_may_be_kept_as_floats(run: str, mode: Mode) -> None:
    if "pypmml" in run and shutil.which("java") is None:
        pytest.skip("pypmml runs PMML in Java: install a Java runtime")
    ruleset = parse("""
        grade = "3" -> 0.9*three; grade != "-10" -> 0.5*three; grade is missing -> 0.4*other; Default -> other
        where grade: one of "3" | "-10" | A; actions: three | other
    """).replace(mode=mode)
    values: list[Value] = ["3", "3.0", "-10", "-10.0", "A", "A.0", None]
    expected = ["three", "three", "other", "other", "three", "three", "other"]
    if "SQL" not in run and "PMML" not in run and "ONNX" not in run:
        values = [3, 3.0, -10, -10.0, "A", "A.0", None]
    assert RUNS[run](ruleset, {"grade": values}) == expected
