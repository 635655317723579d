"""Tests of the `where` block: what it can declare, and that its production functions read what the printer writes."""

import pytest

from evoter.rules.errors import RuleSyntaxError
from evoter.rules.model import Mode
from evoter.rules.parser import parse
from evoter.rules.parsing.declarations import parse_where
from evoter.rules.parsing.tokens import TokenStream
from evoter.rules.schema import Feature, Kind


def declared(line: str) -> Feature:
    ((feature, _),) = parse_where(TokenStream(f"where\n  {line}")).features.values()
    return feature


def test_the_where_block_declares_everything() -> None:
    ruleset = parse(
        """
        a < 1 -> go; Default -> stop
        where:
          a: numeric [0..1] mg/dL, scaled, may be missing   # a comment
          b: Numeric [..2.5]; c: numeric [0..]
          d: numeric %
          e: numeric
          "f: g": numeric [..] per year
          h: ONE OF red | "dark red" |
             blue (navy), may be missing
          i: one of "x"
          j: yes/no
          k: boolean, may be missing
          "actions": yes/no
          actions: stop | go | "stop | go"
          lags: 0..4
          decide: Vote
        """
    )
    assert [feature.name for feature in ruleset.schema.features] == [*"abcde", "f: g", *"hijk", "actions"]
    a, b, c, d, e, f, h, i, j, k, _ = ruleset.schema.features
    assert a == Feature("a", low=0, high=1, unit="mg/dL", scaled=True, missing=True)
    assert (b.low, b.high, c.low, c.high) == (None, 2.5, 0.0, None)
    assert (d.unit, e.unit, f.unit) == ("%", "", "per year")
    assert (h.categories, h.missing) == (("red", "dark red", "blue (navy)"), True)
    assert i.categories == ("x",)
    assert (str(j.kind), str(k.kind), k.missing) == ("boolean", "boolean", True)
    assert ruleset.schema.actions == ("stop", "go", "stop | go")
    assert (ruleset.schema.max_lag, ruleset.mode) == (4, Mode.VOTE)


@pytest.mark.parametrize(
    ("line", "feature"),
    [
        ("one of: one of one of | numeric", Feature("one of", Kind.CATEGORICAL, categories=("one of", "numeric"))),
        ("numeric: numeric [..] numeric", Feature("numeric", unit="numeric")),
        ('"lags": numeric [-1e-3 .. −0.5e-3]', Feature("lags", low=-0.001, high=-0.0005)),
        ("x: numeric, may be missing, may be missing", Feature("x", missing=True)),
        ("x: YES/NO", Feature("x", Kind.BOOLEAN)),
    ],
)
def test_words_of_the_language_may_be_names_units_and_categories(line: str, feature: Feature) -> None:
    assert declared(line) == feature


def test_what_is_not_declared_is_left_open() -> None:
    declarations = parse_where(TokenStream("where"))
    assert declarations.features == {}
    assert (declarations.actions, declarations.max_lag, declarations.mode) == (None, None, None)
    assert parse_where(TokenStream("where lags: 3")).max_lag == 3


def test_binary_features_and_steps_are_declared() -> None:
    assert declared("x: binary") == Feature("x", low=0, high=1, step=1)
    assert declared("x: numeric [0..1], step 1") == Feature("x", low=0, high=1, step=1)
    assert declared("x: Binary, scaled, may be missing").scaled
    assert declared("x: numeric [0..9] cm, step 0.5, may be missing") == Feature(
        "x", low=0, high=9, unit="cm", step=0.5, missing=True
    )
    with pytest.raises(RuleSyntaxError, match=r"expected a number, got ','"):
        declared("x: numeric, step, scaled")
    with pytest.raises(RuleSyntaxError, match="step must be a positive number"):
        declared("x: numeric, step 0")
