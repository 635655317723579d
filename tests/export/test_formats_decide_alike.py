"""Every language says what the interpreter says: the same rule sets and rows, run by other programs."""

import re
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evoter.rules.errors import RuleError
from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes import mode_of
from evoter.rules.parser import parse
from exporting import decided, fitted, hostile_case, random_case, ways, without_lags
from laws import examples, n_cases
from strategies import Value, rows, rulesets

from exported import WAYS, run_python  # isort: skip
from exported_engines import run_c, run_javascript  # isort: skip

ONE_ACTION = [mode for mode in Mode if not mode_of(mode).several_actions]
IN_ORDER_ONLY = {"DMN in feelin", "Excel in IronCalc", "Excel in LibreOffice"}
SEEDS = st.integers(0, 2**32)

DEEP = {
    "Python": 200,
    "JavaScript in node": 100,
    "C, compiled": 100,
    "SQL in SQLite": 200,
    "SQL in DuckDB": 40,
    "DMN in feelin": 40,
    "Excel in IronCalc": 40,
    "PMML in pypmml": 40,
}


def modes_of(way: str) -> list[Mode]:
    return [mode for mode in ONE_ACTION if way not in IN_ORDER_ONLY or mode is not Mode.VOTE]


@pytest.mark.parametrize(("way", "n"), ways(DEEP))
def test_exports_decide_as_the_interpreter_does(way: str, n: int) -> None:
    @settings(max_examples=n_cases(n))
    @given(SEEDS)
    def law(seed: int) -> None:
        case = fitted(random_case(seed, modes_of(way)), WAYS[way].fitting)
        try:
            taken = WAYS[way].run(case.ruleset, case.table)
        except RuleError as error:
            if not re.search(REFUSALS, str(error)):
                raise
        else:
            assert taken == case.labels

    law()


@examples(40)
@given(SEEDS)
def test_onnxruntime_decides_as_the_interpreter_does(seed: int) -> None:
    case = random_case(seed)
    assert WAYS["ONNX in onnxruntime"].run(case.ruleset, case.table) == case.labels


@pytest.mark.parametrize("way", ways(["Python", "JavaScript in node", "C, compiled"]))
def test_all_actions_are_returned(way: str) -> None:
    @settings(max_examples=n_cases(100))
    @given(SEEDS)
    def law(seed: int) -> None:
        case = random_case(seed, [Mode.ALL])
        actions = [list(decision.actions) for decision in case.decisions]
        assert list(map(list, WAYS[way].run(case.ruleset, case.table))) == actions

    law()


REFUSALS = "cannot contain|cannot tell the columns|too wide to scale|Excel has no numbers"
"""What random names, numbers and ranges may be refused for."""

NAMES = {
    "Python": 60,
    "JavaScript in node": 30,
    "C, compiled": 30,
    "SQL in SQLite": 60,
    "ONNX in onnxruntime": 30,
    "SQL in DuckDB": 20,
    "DMN in feelin": 20,
    "Excel in IronCalc": 20,
    "PMML in pypmml": 15,
}


@pytest.mark.parametrize(("way", "n"), ways(NAMES))
def test_random_names_are_nothing_but_names(way: str, n: int) -> None:
    @settings(max_examples=n)
    @given(st.data())
    def law(data: st.DataObject) -> None:
        ruleset = without_lags(data.draw(rulesets())).replace(mode=data.draw(st.sampled_from(modes_of(way))))
        drawn = data.draw(st.lists(rows(ruleset.schema), min_size=1, max_size=10))
        case = fitted(decided(ruleset, drawn, Random(0)), WAYS[way].fitting)
        assume(case.decisions)
        try:
            taken = WAYS[way].run(ruleset, case.table)
        except RuleError as error:
            if not re.search(REFUSALS, str(error)):
                raise
        else:
            assert taken == case.labels

    law()


# LibreOffice turns carriage returns in cells into line feeds.
@pytest.mark.parametrize("mode", ONE_ACTION)
@pytest.mark.parametrize("way", ways(way for way in WAYS if way != "Excel in LibreOffice"))
def test_hostile_names_are_nothing_but_names(way: str, mode: Mode) -> None:
    case = hostile_case(mode)
    assert len(set(case.labels)) > 10
    if mode in modes_of(way):
        assert WAYS[way].run(case.ruleset, case.table) == case.labels
    else:
        with pytest.raises(RuleError, match="but mode vote compares means of certainties: export to SQL"):
            WAYS[way].run(case.ruleset, case.table)


@pytest.mark.parametrize("way", ways(list(WAYS)))
def test_whole_numbers_that_are_categories_may_be_kept_as_floats(way: str) -> None:
    ruleset = parse("""
        grade = "3" -> 0.9*three; grade != "-10" -> 0.5*three; grade is missing -> 0.4*other; Default -> other
        where grade: one of "3" | "-10" | A; actions: three | other
    """)
    values: list[Value] = ["3", "3.0", "-10", "-10.0", "A", "A.0", None]
    expected = ["three", "three", "other", "other", "three", "three", "other"]
    if way in ("Python", "JavaScript in node", "JSON, read back", "text, read back") or way.startswith("Excel"):
        values = [3, 3.0, -10, -10.0, "A", "A.0", None]
    for mode in modes_of(way):
        assert WAYS[way].run(ruleset.replace(mode=mode), {"grade": values}) == expected


TEXTS = parse("""
    x > 1 -> more; b = true -> yes; c = "2.5" -> half; c = "true" -> truth; Default -> rest
    where x: numeric; b: yes/no; c: one of "2.5" | "1e-05" | "true"; actions: more | yes | half | truth | rest
""")


def test_javascript_reads_categories_as_python_does() -> None:
    values: list[Value] = [2.5, "2.5", True, 1e-05, 1e21, -0.0, float("inf"), float("nan"), None, 3e-05]
    nothing: list[Value] = [None] * len(values)
    table = {"x": nothing, "b": nothing, "c": values}
    every = TEXTS.replace(rules=TEXTS.rules[2:])
    assert run_javascript(every, table) == run_python(every, table)
    named = parse("""
        c = "1e-05" -> small; c = "1000000000000000000000" -> large; c = "0" -> zero; c = "inf" -> endless; Default -> rest
        where c: one of "1e-05" | "1000000000000000000000" | "0" | "inf"; actions: small | large | zero | endless | rest
    """)
    expected = ["rest", "rest", "rest", "small", "large", "zero", "endless", "rest", "rest", "rest"]
    assert run_javascript(named, {"c": values}) == run_python(named, {"c": values}) == expected


def test_nothing_to_read_is_no_obstacle() -> None:
    empty = RuleSet([], "rest", TEXTS.schema)
    for way in WAYS.values():
        if not way.lacks and way.run in (run_javascript, run_c, run_python):
            assert way.run(empty, {"x": [1.0, None], "b": [True, None], "c": ["2.5", None]}) == ["rest", "rest"]
