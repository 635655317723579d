"""Laws over all forms of conditions: a new form that is not complete, or has no generator, fails here."""

import math
from collections.abc import Iterator
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from domains import random_condition, random_condition_of, random_histories, random_schema
from evoter.genome.codec import read_condition, write_condition
from evoter.kernels.conditions.codes import N_CODES, N_NUMBERS
from evoter.problems import decide_columns
from evoter.rules.errors import RuleError
from evoter.rules.explain import explain
from evoter.rules.forms.form import Form
from evoter.rules.forms.registry import FORMS, form_of
from evoter.rules.interpreter import decide_table, evaluate, holds
from evoter.rules.json_codec import dumps, loads
from evoter.rules.leaf import dumps_leaf, loads_leaf
from evoter.rules.logic import Truth, contradicts, implies, truth
from evoter.rules.model import Condition, Format, Mode, Rule, RuleSet, Term
from evoter.rules.parser import parse, parse_condition
from evoter.rules.reasoning.canonical import canonical
from evoter.rules.reasoning.spans import double, ordinal
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.simplify import simplify, simplify_conditions
from evoter.rules.text import print_condition
from exporting import decided, fitted, ways, without_lags
from laws import examples
from strategies import Row, Value, conditions_of, rows, schemas
from tasks import as_rows, random_columns

from exported import WAYS  # isort: skip

SEEDS = st.integers(0, 2**32)
ALL_FORMS = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
LOSSLESS: tuple[Format, ...] = ("compact", "aligned", "unicode")


def some_condition(form: Form, rng: Random, *, lags: bool = True) -> tuple[Condition, Schema]:
    """A random schema and a condition of the form on it."""
    while True:
        schema = random_schema(rng)
        if not lags:
            schema = Schema(schema.features, schema.actions)
        condition = random_condition_of(form, rng, schema)
        if condition is not None:
            return condition, schema


def alone(condition: Condition, schema: Schema, mode: Mode = Mode.FIRST) -> RuleSet:
    """A rule set of one rule with one condition."""
    return RuleSet([Rule([condition], schema.actions[0])], schema.actions[-1], schema, mode=mode)


def small_domain(rng: Random) -> Schema:
    """A schema with few enough values to try them all."""
    features = []
    for name in "ab":
        middle = ordinal(rng.choice([0.0, 1.0, 0.3, -2.0, 1e-160]))
        low, high = sorted(double(middle + offset) for offset in (rng.randint(-3, 0), rng.randint(0, 3)))
        features.append(Feature(name, low=low, high=high, missing=rng.random() < 0.3))
    features.append(Feature("c", Kind.CATEGORICAL, categories=tuple("uvw"), missing=rng.random() < 0.5))
    features.append(Feature("d", Kind.BOOLEAN, missing=rng.random() < 0.5))
    return Schema(features, ["go"])


def all_rows(schema: Schema, names: set[str]) -> Iterator[Row]:
    """Every row of a small domain, as far as the named features are concerned."""
    read = [feature for feature in schema.features if feature.name in names]
    for values in product(*map(all_values, read)):
        yield dict(zip([feature.name for feature in read], values, strict=True))


def all_values(feature: Feature) -> list[Value]:
    missing: list[Value] = [None] if feature.missing else []
    if feature.kind is Kind.NUMERIC:
        low, high = map(ordinal, feature.bounds)
        return [*missing, *(double(position) for position in range(low, high + 1))]
    return [*missing, *(feature.categories or (False, True))]


def names_of(*conditions: Condition) -> set[str]:
    return {term.feature for condition in conditions for term in condition.terms}


def condition_on(rng: Random, schema: Schema, form: Form) -> Condition:
    """A condition on a small domain, whose thresholds are among its values."""
    while True:
        condition = random_condition_of(form, rng, schema)
        if condition is None:
            continue
        thresholds = form.thresholds(condition)
        if thresholds:
            low, high = map(ordinal, schema.feature(condition.left.feature).bounds)
            inside = sorted(double(rng.randint(low, high)) for _ in thresholds)
            condition = form.with_thresholds(condition, inside)
        return condition


def test_forms_are_told_apart() -> None:
    assert len({form.name for form in FORMS}) == len(FORMS)
    right_types = [right for form in FORMS for right in form.right_types]
    assert len(set(right_types)) == len(right_types)


def test_a_form_that_leaves_something_out_cannot_be_made() -> None:
    class Incomplete(Form):
        name = "incomplete"
        right_types = (complex,)

    with pytest.raises(TypeError, match=r"abstract methods.*\baccepts\b.*\bexport\b.*\bsatisfying\b"):
        Incomplete()  # type: ignore[abstract]


@ALL_FORMS
@examples(50)
@given(seed=SEEDS)
def test_the_form_of_a_condition_is_recognised(form: Form, seed: int) -> None:
    condition, schema = some_condition(form, Random(seed))
    assert form_of(condition) is form
    assert form_of(condition).n_conditions(condition) >= 1
    assert alone(condition, schema).n_conditions == form.n_conditions(condition)
    assert len(form.requirement(condition, schema)) > 0


@ALL_FORMS
@examples(60)
@given(data=st.data())
def test_text_and_json_give_the_condition_back(form: Form, data: st.DataObject) -> None:
    schema = data.draw(schemas().filter(lambda schema: not conditions_of(form, schema).is_empty))
    condition = data.draw(conditions_of(form, schema))
    for ranges in (False, True):
        assert parse_condition(print_condition(condition, schema, ranges=ranges), schema) == condition
        for how in LOSSLESS:
            text = alone(condition, schema).to_text(how, ranges=ranges)
            assert parse(text) == alone(condition, schema), text
    for reader in ("markdown", "latex", "html"):
        assert print_condition(condition, schema, reader)
    assert loads(dumps(alone(condition, schema))) == alone(condition, schema)


@ALL_FORMS
@examples(60)
@given(data=st.data())
def test_arrays_give_the_condition_back(form: Form, data: st.DataObject) -> None:
    schema = data.draw(schemas().filter(lambda schema: not conditions_of(form, schema).is_empty))
    condition = data.draw(conditions_of(form, schema))
    codes, numbers = np.full(N_CODES, -9), np.full(N_NUMBERS, -9.0)
    write_condition(condition, schema, codes, numbers)
    assert read_condition(codes, numbers, schema) == condition


@ALL_FORMS
@examples(60)
@given(seed=SEEDS)
def test_kernels_decide_as_the_interpreter_does(form: Form, seed: int) -> None:
    rng = Random(seed)
    condition, schema = some_condition(form, rng, lags=False)
    columns = random_columns(rng, schema, 40)
    expected = [holds(condition, [row], schema) for row in as_rows(columns, schema)]
    assert decide_columns(alone(condition, schema), columns).active[:, 0].tolist() == expected


@ALL_FORMS
@examples(60)
@given(seed=SEEDS)
def test_absence_means_the_same_in_all_forms(form: Form, seed: int) -> None:
    rng = Random(seed)
    condition, schema = some_condition(form, rng)
    (history,) = random_histories(rng, [condition], schema, 1)
    missing = [{**row, condition.terms[-1].feature: None} for row in history]
    reaches = all(term.lag < len(history) for term in condition.terms)
    assert holds(condition, missing, schema) == (reaches and form.holds_if_missing(condition))
    assert not (form.compares and form.holds_if_missing(condition))
    assert not holds(condition, [], schema)
    assert (evaluate(condition, history, schema) is None) == (not reaches)


@ALL_FORMS
@examples(60)
@given(seed=SEEDS)
def test_the_plainest_condition_and_simplifying_keep_every_decision(form: Form, seed: int) -> None:
    rng = Random(seed)
    condition, schema = some_condition(form, rng)
    others = [condition, random_condition(rng, schema)]
    plain, together = canonical(condition, schema), simplify_conditions(others, schema)
    simple = simplify(alone(condition, schema))
    for history in random_histories(rng, others, schema, 30):
        holds_now = holds(condition, history, schema)
        assert holds(plain, history, schema) == holds_now
        assert all(holds(each, history, schema) for each in together) == all(
            holds(each, history, schema) for each in others
        )
        if len(simple.rules) == 1 and simple.default == schema.actions[-1]:
            assert all(holds(each, history, schema) for each in simple.rules[0].conditions) == holds_now
        elif schema.actions[0] != schema.actions[-1]:
            assert (simple.default == schema.actions[0]) == holds_now


@ALL_FORMS
@examples(60)
@given(seed=SEEDS)
def test_logic_agrees_with_trying_every_value(form: Form, seed: int) -> None:
    rng = Random(seed)
    schema = small_domain(rng)
    condition = condition_on(rng, schema, form)
    other = condition_on(rng, schema, form if rng.random() < 0.4 else rng.choice(FORMS))
    points = list(all_rows(schema, names_of(condition, other)))
    one = [holds(condition, [row], schema) for row in points]
    two = [holds(other, [row], schema) for row in points]
    verdict = truth(condition, schema)
    assert verdict is not Truth.ALWAYS or all(one)
    assert verdict is not Truth.NEVER or not any(one)
    assert not implies(condition, other, schema) or all(b for a, b in zip(one, two, strict=True) if a)
    assert not contradicts(condition, other, schema) or not any(a and b for a, b in zip(one, two, strict=True))
    single, second = form.satisfying(condition, schema), form_of(other).satisfying(other, schema)
    if single is not None:  # on one variable, proofs are complete
        assert (verdict is Truth.ALWAYS) == all(one)
        assert (verdict is Truth.NEVER) == (not any(one))
        if second is not None and second[0] == single[0]:
            assert implies(condition, other, schema) == all(b for a, b in zip(one, two, strict=True) if a)
            assert contradicts(condition, other, schema) == (not any(a and b for a, b in zip(one, two, strict=True)))


@ALL_FORMS
@examples(60)
@given(seed=SEEDS)
def test_a_condition_or_its_negation_holds(form: Form, seed: int) -> None:
    rng = Random(seed)
    condition, schema = some_condition(form, rng)
    opposite = form.negation(condition)
    assert form.negation(opposite) == condition
    for history in random_histories(rng, [condition], schema, 20):
        values = form.values(condition, history, schema)
        both = holds(condition, history, schema), holds(opposite, history, schema)
        assert both != (True, True)
        if values is not None and None not in values and not any(map(_is_nan, form.sides(condition, values))):
            assert both != (False, False)


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


@ALL_FORMS
@examples(40)
@given(seed=SEEDS)
def test_numbers_in_a_condition(form: Form, seed: int) -> None:
    rng = Random(seed)
    condition, schema = some_condition(form, rng)
    thresholds = form.thresholds(condition)
    if thresholds:
        moved = form.with_thresholds(condition, thresholds)
        assert form.thresholds(moved) == thresholds
        assert moved.left == Term(condition.left.feature, lag=condition.left.lag)
    for history in random_histories(rng, [condition], schema, 20):
        values = form.values(condition, history, schema)
        if values is None or not all(isinstance(value, float) and math.isfinite(value) for value in values):
            continue
        margin = form.margin(condition, values)
        with np.errstate(over="ignore"):
            arrays = form.margin(condition, [np.array([value]) for value in values])
        assert (margin is None) == (arrays is None)
        assert margin is None or arrays[0] == margin or math.isnan(margin)


@ALL_FORMS
@examples(40)
@given(data=st.data())
def test_explanations_say_something(form: Form, data: st.DataObject) -> None:
    schema = data.draw(schemas().filter(lambda schema: not conditions_of(form, schema).is_empty))
    condition = data.draw(conditions_of(form, schema))
    history = data.draw(st.lists(rows(schema), min_size=1, max_size=4))
    explanation = explain(alone(condition, schema), history)
    (outcome,) = explanation.rules[0].conditions
    assert outcome.holds == holds(condition, history, schema)
    assert len(outcome.readings) == len(condition.terms)
    for time_step in (None, (30.0, "min")):
        assert form.explained(outcome, schema, time_step).strip()


@ALL_FORMS
@pytest.mark.parametrize(
    ("way", "n"),
    ways(
        {
            "Python": 30,
            "JavaScript in node": 8,
            "C, compiled": 8,
            "SQL in SQLite": 30,
            "SQL in DuckDB": 10,
            "DMN in feelin": 6,
            "Excel in IronCalc": 10,
            "ONNX in onnxruntime": 10,
            "PMML in pypmml": 8,
        }
    ),
)
def test_exports_decide_as_the_interpreter_does(form: Form, way: str, n: int) -> None:
    @settings(max_examples=n)
    @given(SEEDS)
    def law(seed: int) -> None:
        rng = Random(seed)
        condition, schema = some_condition(form, rng, lags=False)
        schema = Schema(schema.features, ["yes", "no"])
        mode = Mode.FIRST if way.startswith(("DMN", "Excel")) else rng.choice([Mode.FIRST, Mode.VOTE])
        ruleset = without_lags(alone(condition, schema, mode))
        if mode is Mode.VOTE:  # a second rule for one action, so that votes are counted
            other = Rule([random_condition(rng, schema)], "yes", 0.5)
            ruleset = ruleset.replace(rules=(*ruleset.rules, other))
        points = [history[-1] for history in random_histories(rng, [condition], schema, 20)]
        case = decided(ruleset, [*points, *as_rows(random_columns(rng, schema, 10), schema)], rng)
        case = fitted(case, WAYS[way].fitting)
        assume(case.decisions)
        try:
            taken = WAYS[way].run(ruleset, case.table)
        except RuleError as error:
            if "Excel has no numbers" not in str(error):
                raise
        else:
            assert taken == case.labels

    law()


@ALL_FORMS
@examples(60)
@given(seed=SEEDS)
def test_leaf_files_say_the_same_or_refuse(form: Form, seed: int) -> None:
    rng = Random(seed)
    condition, schema = some_condition(form, rng, lags=False)
    ruleset = alone(condition, schema, Mode.VOTE)
    try:
        copy = loads_leaf(dumps_leaf(ruleset))
    except RuleError as error:
        if "leaf-common" not in str(error) and "no fraction of" not in str(error):
            raise
        return
    if any(feature.kind is Kind.BOOLEAN for feature in schema.features):
        return  # booleans come back as numbers
    written = {each for other in copy.rules[0].conditions for each in form_of(other).thresholds(other)}
    if not written <= set(form.thresholds(condition)):
        return  # a constant that is no fraction of its range comes back as its neighbour
    points = [history[-1] for history in random_histories(rng, [condition], schema, 20)]
    known = [point for point in points if None not in point.values()]
    assert decide_table(copy, known).times_applied == decide_table(ruleset, known).times_applied
