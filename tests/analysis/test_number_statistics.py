"""What rules with numbers do on a table: counts, errors, and the share of true numbers in their intervals."""

import pytest

from evoter.analysis.number_statistics import measure_numbers
from evoter.rules.errors import SchemaError
from evoter.rules.numbers.residuals import Residuals
from evoter.rules.parser import parse

RULES = parse(
    "age > 60 -> 2 kg + 0.5*age; age > 50 -> 20 kg; Default -> 10 kg; where age: numeric; actions: numeric kg"
)
ROWS = [{"age": 80.0}, {"age": 62.0}, {"age": 55.0}, {"age": 20.0}]


def test_errors_are_told_rule_by_rule() -> None:
    found = measure_numbers(RULES, ROWS, [43.0, 33.0, 20.0, 14.0])
    assert [(rule.held, rule.decided, rule.error, rule.bias) for rule in found.rules] == [
        (2, 2, 0.5, -0.5),
        (3, 1, 0.0, 0.0),
        (1, 1, 4.0, -4.0),
    ]
    assert found.figures is not None
    assert found.figures.mean_error == 1.25
    assert found.sentence().startswith("R2 0.967 on 4 rows: on average 1.25 kg off")
    assert len(list(found.lines())) == 4
    assert found.to_dict()["figures"]["coverage"] is None


def test_intervals_are_counted() -> None:
    rules = RULES.replace(residuals=[Residuals(9, 2.0, 2.0, 1.0)] * 3)
    found = measure_numbers(rules, ROWS, [43.0, 33.0, 20.0, 14.0])
    assert found.figures is not None
    assert found.figures.coverage == 0.75
    assert "75.0% of the true numbers lie in their 90% intervals" in found.sentence()
    assert measure_numbers(rules, ROWS).sentence() == ""


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(SchemaError, match="4 rows and 1 true numbers"):
        measure_numbers(RULES, ROWS, [1.0])
    with pytest.raises(SchemaError, match="are names"):
        measure_numbers(parse("age > 1 -> a; Default -> b"), ROWS)
