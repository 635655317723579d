"""Compiled predictions are those of the interpreter."""

import math
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from domains import random_schema
from evoter.problems.regression.predictions import predict_columns
from evoter.rules.interpreter import estimate
from evoter.rules.model import Mode
from laws import examples
from numeric_rules import with_numbers
from tasks import as_rows, random_columns, random_ruleset


@examples(300)
@given(st.integers(0, 2**32))
def test_predictions_are_those_of_the_interpreter(seed: int) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    rules = with_numbers(random_ruleset(rng, schema, Mode.FIRST), rng)
    columns = random_columns(rng, rules.schema, 40)
    found = predict_columns(rules, columns)
    for number, row in zip(found.numbers.tolist(), as_rows(columns, rules.schema), strict=True):
        wanted = estimate(rules, row)
        assert number == wanted or (math.isnan(number) and math.isnan(wanted))
