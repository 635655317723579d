"""Random rule sets with tables that try them where they change: at constants and their neighbours, without values, at infinity."""

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest
from _pytest.mark import ParameterSet

from domains import random_histories, random_ruleset
from evoter.rules.condition import Right, Sum
from evoter.rules.interpreter import Decision, decide_table
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Kind, Schema
from project import ROOT
from strategies import Row, Value
from tasks import as_rows, random_columns

if TYPE_CHECKING:
    from exported_values import Fitting

sys.path.append(str(ROOT / "benchmarks"))  # where what runs the exports is shared with the figures in the documentation


def ways(counts: Mapping[str, int] | Iterable[str]) -> list[ParameterSet]:
    """Return ways to run exports as parameters of a test, with counts where there are any; what is not installed is skipped."""
    from exported import WAYS

    given = counts.items() if isinstance(counts, Mapping) else ((name,) for name in counts)
    return [
        pytest.param(
            *values, id=values[0], marks=pytest.mark.skipif(bool(WAYS[values[0]].lacks), reason=WAYS[values[0]].lacks)
        )
        for values in given
    ]


class Case(NamedTuple):
    """A rule set, rows column by column, and what the interpreter decides on them."""

    ruleset: RuleSet
    table: dict[str, list[Value]]
    decisions: Sequence[Decision]

    @property
    def labels(self) -> list[str]:
        """The action of each row; in mode all, the first."""
        return [decision.action for decision in self.decisions]

    @property
    def deciders(self) -> list[int]:
        """The number of the first deciding rule of each row, as rules are printed: the default comes last."""
        default = len(self.ruleset.rules) + 1
        return [decision.deciding[0] + 1 if decision.deciding else default for decision in self.decisions]


def random_case(seed: int, modes: Sequence[Mode] = tuple(Mode), n_rows: int = 60) -> Case:
    """A rule set that looks at one row at a time; of a number that is missing, None and NaN are both tried."""
    rng = Random(seed)
    ruleset = without_lags(random_ruleset(rng)).replace(mode=rng.choice(modes))
    conditions = [condition for rule in ruleset.rules for condition in rule.conditions]
    rows = [history[-1] for history in random_histories(rng, conditions, ruleset.schema, n_rows * 2 // 3)]
    rows += as_rows(random_columns(rng, ruleset.schema, n_rows // 3), ruleset.schema)
    return decided(ruleset, rows, rng)


def decided(ruleset: RuleSet, rows: Sequence[Row], rng: Random) -> Case:
    """Lay rows out as a table, and decide on them."""
    table: dict[str, list[Value]] = {name: [row[name] for row in rows] for name in ruleset.schema.names}
    for feature in ruleset.schema.features:
        if feature.kind is Kind.NUMERIC:
            values = table[feature.name]
            table[feature.name] = [rng.choice([None, math.nan]) if value is None else value for value in values]
    return Case(ruleset, table, decide_table(ruleset, rows).decisions)


def fitted(case: Case, fitting: "Fitting") -> Case:
    """The same rule set on a table that a program can hold."""
    table = {name: list(values) for name, values in fitting(case.ruleset, case.table).items()}
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    return Case(case.ruleset, table, decide_table(case.ruleset, rows).decisions)


def without_lags(ruleset: RuleSet) -> RuleSet:
    """The same rules about the present."""

    def now(term: Term) -> Term:
        return Term(term.feature, term.coefficient, term.power)

    def right(condition: Condition) -> Right:
        if isinstance(condition.right, Sum):  # of one feature at two lags, only the first is left
            added = now(condition.right.added)
            same = added.feature == condition.left.feature
            return condition.right.constant if same else Sum(added, condition.right.constant)
        return now(condition.right) if isinstance(condition.right, Term) else condition.right

    rules = []
    for rule in ruleset.rules:
        conditions = [Condition(now(each.left), each.operator, right(each)) for each in rule.conditions]
        rules.append(Rule(conditions, rule.action, rule.certainty))
    return ruleset.replace(rules=tuple(rules))


HOSTILE = [
    '"; DROP TABLE data; --',
    "'; DROP TABLE data; --",
    "`; DROP TABLE data; --",
    "]; DROP TABLE data; --",
    "line\nbreak */ /* ]]> <!-- -->",
    "\\'; DROP TABLE data; --",
    "\\",
    "&lt; <x y='z'> &#10; %s ? :x $1 {x}",
    '"""\nimport os\n"""',
    "Größe 測定 \U0001f600 \u202e\u2028 end",
    "carriage\r\nreturn\ttab",
    "rule_1",
    "mean_1",
    "decision",
    "label",
    "rule",
    "now",
    "number",
    "=1+1",
    "+1",
    "-2+3|cmd",
    "@SUM(1)",
    "*/ int x; /* ??/",
    "</script><script>alert(1)</script><!--",
    "${x} `x` #{x} _x0041_",
    "0",
    "unix",
    "toString",
    "UNIQUE(x) SORT(y) {=1}",
    "now->x is(now sum(1, 2) struct poll poll INFINITY winner(",
]
"""Names that would do harm if they were taken for anything but names."""


def hostile_case(mode: Mode = Mode.FIRST) -> Case:
    """A rule set that reads, compares and takes all hostile names, and rows on which each of its rules decides."""
    features = [Feature(name) for name in HOSTILE]
    choice = Feature("choice", Kind.CATEGORICAL, categories=tuple(HOSTILE))
    rules = []
    for place, name in enumerate(HOSTILE):
        certainty = 1 - place / 100
        rules.append(Rule([Condition(Term(name), ">", 0.5), Condition(Term("choice"), "!=", name)], name, certainty))
        rules.append(Rule([Condition(Term("choice"), "=", name)], name, certainty, name=name))
    ruleset = RuleSet(rules, HOSTILE[-1], Schema([*features, choice], HOSTILE), mode=mode)
    rows: list[Row] = []
    for chosen in [*HOSTILE, None, "another"]:
        rows += [{**{name: float(name == high) for name in HOSTILE}, "choice": chosen} for high in [*HOSTILE, ""]]
    return decided(ruleset, rows, Random(0))
