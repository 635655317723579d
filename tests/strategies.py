"""Hypothesis strategies for random schemas, rule sets and rows, shared by the laws of every layer."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from hypothesis import strategies as st

from evoter.rules.condition import COMPARISONS, Sum
from evoter.rules.forms.form import Form
from evoter.rules.forms.registry import FORMS
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.reasoning.steps import admitted_around, admitted_from
from evoter.rules.schema import Feature, Kind, Schema

Value = float | str | bool | None
Row = dict[str, Value]

ORDINARY_NAMES = ["age", "petal length (cm)", "mean radius", "next.pipe.top.y", "hours-per-week", "Größe", "x1"]
AWKWARD_NAMES = [
    "and", "Default", "IF", "is missing", "actions", "pinned", "1. x", "age[60-70)", 'say "hi"', "back\\slash", "a->b",
    "0.5*x", "x^2", "x²", "tBodyAcc-mean()-X", "a | b", "# no comment", "line\nbreak", "true", "3", "-x", "x  y", "x(y)",
    "(x)", "decide", "lags", "features", "where", "naïve∧", "'", "{x}", "<b>", "$a_b$", "x [0..1]",
]  # fmt: skip


@cache
def names() -> st.SearchStrategy[str]:
    """Names from harmless to hostile."""
    text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
    return st.one_of(
        st.sampled_from(ORDINARY_NAMES),
        st.sampled_from(AWKWARD_NAMES),
        text.map(str.strip).filter(lambda name: name != ""),
    )


@cache
def numbers() -> st.SearchStrategy[float]:
    """Finite numbers, short ones preferred."""
    short = st.integers(-1000, 1000).map(lambda number: number / 100)
    return st.one_of(short, st.floats(allow_nan=False, allow_infinity=False))


@st.composite
def features(draw: st.DrawFn, name: str) -> Feature:
    """A feature of any kind called `name`."""
    kind = draw(st.sampled_from(Kind))
    missing = draw(st.booleans())
    texts = tuple(draw(st.sampled_from([(), (), ("-9",), ("unknown", "k.A."), ('"', "missing as", "a | b, scaled")])))
    has_column: bool = draw(st.booleans())
    column = draw(names()) if texts and has_column else ""
    if kind is Kind.CATEGORICAL:
        categories = draw(st.lists(names(), min_size=1, max_size=4, unique=True))
        cells = "weekday of month-day-year" if column else ""
        declared: dict[str, Any] = {"missing": missing, "missing_texts": texts, "cells": cells, "column": column}
        return Feature(name, kind, categories=tuple(categories), **declared)
    if kind is Kind.BOOLEAN:
        return Feature(name, kind, missing=missing, missing_texts=texts, column=column)
    low, high = sorted(draw(st.tuples(numbers(), numbers())))
    unit = draw(st.sampled_from(["", "", "cm", "mg/dL", "%", "per year", "AND"]))
    comma = bool(texts) and draw(st.booleans())
    cells = draw(st.sampled_from(["", "amount", "year of year-month-day", "days since 2024-02-29 of day-month-year"]))
    more: dict[str, Any] = {"unit": unit, "missing": missing, "missing_texts": texts, "decimal_comma": comma}
    more |= {"cells": cells if texts else "", "column": column}
    step = draw(st.sampled_from([None, None, None, 1.0, 0.5, 0.1]))
    if draw(st.booleans()):
        if step == 1.0 and draw(st.booleans()):
            low, high = 0.0, 1.0
        elif step is not None and admitted_from(low, step) > high:
            step = None
        return Feature(name, kind, low, high, scaled=draw(st.booleans()), step=step, **more)
    bounds = draw(st.sampled_from([(None, None), (low, None), (None, high)]))
    return Feature(name, kind, *bounds, step=step, **more)


@st.composite
def schemas(draw: st.DrawFn, max_features: int = 5) -> Schema:
    """A schema of up to `max_features` features and four actions."""
    feature_names = draw(st.lists(names(), min_size=1, max_size=max_features, unique=True))
    actions = draw(st.lists(names(), min_size=1, max_size=4, unique=True))
    return Schema([draw(features(name)) for name in feature_names], actions, draw(st.integers(0, 3)))


@st.composite
def terms(draw: st.DrawFn, schema: Schema, among: Sequence[Feature]) -> Term:
    """A term on one of the numeric features `among`."""
    coefficient = draw(st.one_of(st.just(1.0), st.integers(1, 100).map(lambda number: number / 100), numbers()))
    power = draw(st.integers(1, 3))
    return Term(draw(st.sampled_from(among)).name, coefficient, power, draw(st.integers(0, schema.max_lag)))


def conditions(schema: Schema) -> st.SearchStrategy[Condition]:
    """A condition of any form that fits the schema."""
    return st.one_of([conditions_of(form, schema) for form in FORMS])


def conditions_of(form: Form, schema: Schema) -> st.SearchStrategy[Condition]:
    """A condition of one form that fits the schema; nothing where the schema has no feature for it."""
    return _CONDITIONS[form.name](schema)


def _plain_terms(schema: Schema, among: Sequence[Feature]) -> st.SearchStrategy[Term]:
    names = st.sampled_from([feature.name for feature in among])
    return st.builds(Term, names, lag=st.integers(0, schema.max_lag))


def _of_kind(schema: Schema, *kinds: Kind) -> list[Feature]:
    return [feature for feature in schema.features if feature.kind in kinds]


def _presences(schema: Schema) -> st.SearchStrategy[Condition]:
    tests = st.sampled_from([Operator.IS_MISSING, Operator.IS_PRESENT])
    return st.builds(Condition, _plain_terms(schema, schema.features), tests)


def _constants(schema: Schema) -> st.SearchStrategy[Condition]:
    numeric = _of_kind(schema, Kind.NUMERIC)
    bounds = [bound for feature in numeric for bound in (feature.low, feature.high) if bound is not None]
    constants = st.one_of(numbers(), st.sampled_from(bounds or [0.0]))
    return st.builds(Condition, terms(schema, numeric), OPERATORS, constants) if numeric else st.nothing()


@st.composite
def _categories_of(draw: st.DrawFn, schema: Schema, among: Sequence[Feature]) -> Condition:
    left = draw(_plain_terms(schema, among))
    values: Sequence[str | bool] = schema.feature(left.feature).categories or (False, True)
    return Condition(left, draw(st.sampled_from([Operator.EQ, Operator.NE])), draw(st.sampled_from(values)))


def _categories(schema: Schema) -> st.SearchStrategy[Condition]:
    others = _of_kind(schema, Kind.CATEGORICAL, Kind.BOOLEAN)
    return _categories_of(schema, others) if others else st.nothing()


@st.composite
def _memberships_of(draw: st.DrawFn, schema: Schema, among: Sequence[Feature]) -> Condition:
    left = draw(_plain_terms(schema, among))
    categories = schema.feature(left.feature).categories
    chosen = draw(st.lists(st.sampled_from(categories), min_size=2, unique=True))
    return Condition(left, draw(st.sampled_from([Operator.IN, Operator.NOT_IN])), chosen)


def _memberships(schema: Schema) -> st.SearchStrategy[Condition]:
    among = [feature for feature in schema.features if len(feature.categories) > 1]
    return _memberships_of(schema, among) if among else st.nothing()


def _comparisons(schema: Schema) -> st.SearchStrategy[Condition]:
    numeric = _of_kind(schema, Kind.NUMERIC)
    return st.builds(Condition, terms(schema, numeric), OPERATORS, terms(schema, numeric)) if numeric else st.nothing()


@st.composite
def _sums_of(draw: st.DrawFn, schema: Schema, among: Sequence[Feature]) -> Condition:
    variables = [(feature.name, lag) for feature in among for lag in range(schema.max_lag + 1)]
    coefficients = st.one_of(st.sampled_from([1.0, -1.0, 0.5, -0.05]), numbers().filter(lambda number: number != 0.0))
    left, added = draw(st.lists(st.sampled_from(variables), min_size=2, max_size=2, unique=True))
    first, second = (Term(name, draw(coefficients), lag=lag) for name, lag in (left, added))
    return Condition(first, draw(st.sampled_from(ORDERS)), Sum(second, draw(numbers())))


def _sums(schema: Schema) -> st.SearchStrategy[Condition]:
    numeric = _of_kind(schema, Kind.NUMERIC)
    return _sums_of(schema, numeric) if len(numeric) * (schema.max_lag + 1) > 1 else st.nothing()


ORDERS = [Operator.LT, Operator.LE, Operator.GT, Operator.GE]
OPERATORS = st.sampled_from(COMPARISONS)

_CONDITIONS = {
    "test for missing": _presences,
    "comparison with a number": _constants,
    "comparison with a category": _categories,
    "membership in a set": _memberships,
    "weighted sum": _sums,
    "comparison of two terms": _comparisons,
}
"""A strategy for each form: a form that is not listed fails the laws over all forms."""


@st.composite
def rulesets(draw: st.DrawFn, schema: Schema | None = None, max_rules: int = 5, max_conditions: int = 4) -> RuleSet:
    """A rule set over a given or a random schema."""
    if schema is None:
        schema = draw(schemas())
    certainty = st.one_of(st.just(1.0), st.integers(1, 100).map(lambda number: number / 100))
    actions = st.sampled_from(schema.actions)
    rules = st.builds(
        Rule,
        conditions=st.lists(conditions(schema), min_size=1, max_size=max_conditions).map(tuple),
        action=actions,
        certainty=certainty,
        name=st.one_of(st.just(""), names()),
        pinned=st.booleans(),
    )
    return RuleSet(
        tuple(draw(st.lists(rules, max_size=max_rules))),
        draw(actions),
        schema,
        draw(certainty),
        draw(st.sampled_from(Mode)),
    )


@st.composite
def values(draw: st.DrawFn, feature: Feature) -> Value:
    """A value of the feature's domain, missing only where the schema allows it."""
    if feature.missing and draw(st.integers(0, 4)) == 0:
        return None
    if feature.kind is Kind.CATEGORICAL:
        return draw(st.sampled_from(feature.categories))
    if feature.kind is Kind.BOOLEAN:
        return draw(st.booleans())
    value = draw(_numbers_of(feature))
    if feature.step is None:
        return value
    near = admitted_around(value, feature.step)
    return near[0] if near[0] >= feature.bounds[0] else near[1]


@st.composite
def _numbers_of(draw: st.DrawFn, feature: Feature) -> float:
    """A number in the range of a feature."""
    low, high = feature.bounds
    grid = [bound for bound in (low, high) if abs(bound) != float("inf")]
    if low == high:  # perhaps 0 and -0, between which st.floats finds nothing
        return draw(st.sampled_from(grid))
    anywhere = st.floats(feature.low, feature.high, allow_nan=False, allow_infinity=False)
    return draw(st.one_of(st.sampled_from(grid), anywhere) if grid else anywhere)


@st.composite
def rows(draw: st.DrawFn, schema: Schema) -> Row:
    """One point of the schema's domain."""
    return {feature.name: draw(values(feature)) for feature in schema.features}
