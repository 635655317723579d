"""Ten thousand rows with missing values, unknown categories and values at thresholds: no export decides otherwise."""

import math
from functools import cache
from random import Random

import pytest

from evoter.rules.model import Mode
from evoter.rules.parser import parse
from exporting import Case, decided, fitted, ways
from strategies import Row, Value

from exported import WAYS  # isort: skip

N_ROWS = 10_000
NEW = [way for way in WAYS if way.startswith(("JavaScript", "C,", "DMN", "Excel", "SQL for"))]
RULES = parse("""
1. glucose is missing AND age >= 45 -> 0.9*test
2. 0.5*insulin > glucose AND smoker = true -> 0.3*treat
3. race != Asian AND glucose > 125.5 -> 0.6*treat
4. insulin - 0.3*age <= 17.7 AND 30 < age <= 40.1 -> 0.8*wait
5. race in {Asian, "3"} AND 0.001*insulin^2 <= 8.1 AND smoker is present -> 0.4*test
6. smoker = false AND age != 33.3 AND race is missing -> 0.7*treat
7. Default -> wait
where
  age: numeric [18..95]
  glucose: numeric [40..400] mg/dL, may be missing
  insulin: numeric [0..900]
  smoker: yes/no
  race: one of Asian | Hispanic | "3"
  actions: test | treat | wait
""")
THRESHOLDS = {"age": [45.0, 30.0, 40.1, 33.3], "glucose": [125.5], "insulin": [17.7, 90.0]}
OTHERS: dict[str, list[Value]] = {
    "smoker": [True, False, True, False, None],
    "race": ["Asian", "Hispanic", "3", None, "someone else", "asian"],
}


@cache
def case() -> Case:
    """Values at thresholds, just beside them, missing, infinite and ordinary; ties between features as well."""
    rng = Random(0)
    rows: list[Row] = []
    for _ in range(N_ROWS):
        row: dict[str, Value] = {name: rng.choice(values) for name, values in OTHERS.items()}
        for name, thresholds in THRESHOLDS.items():
            at = rng.choice(thresholds)
            beside = [math.nextafter(at, side) for side in (-math.inf, math.inf)]
            ordinary = [round(rng.uniform(0, 200), 1) for _ in range(6)]
            row[name] = rng.choice([at, at, *beside, None, rng.choice([math.inf, -math.inf]), *ordinary])
        if rng.random() < 0.1 and isinstance(row["glucose"], float):
            row["insulin"] = 2 * row["glucose"]
        rows.append(row)
    return decided(RULES, rows, rng)


@pytest.mark.parametrize("way", ways(NEW))
def test_no_row_is_decided_otherwise(way: str) -> None:
    only_in_order = way.startswith(("DMN", "Excel"))
    given = case()
    for mode in (Mode.HARDMAX,) if only_in_order else (Mode.FIRST, Mode.VOTE):
        expected = fitted(given._replace(ruleset=RULES.replace(mode=mode)), WAYS[way].fitting)
        assert len(expected.labels) > 0.9 * N_ROWS
        assert {*expected.deciders} == {*range(1, 8)}
        taken = WAYS[way].run(expected.ruleset, expected.table)
        assert len(taken) == len(expected.labels)
        assert sum(one != other for one, other in zip(taken, expected.labels, strict=True)) == 0
