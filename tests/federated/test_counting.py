"""Tests of the counts of a site, against the interpreter and against sums over rows."""

import numpy as np
import pytest

from evoter.federated.counting import CountedRows
from evoter.federated.messages import EXTEND, INSERT, Agreement, Moves, Sketch, Tables, n_bins, n_counts
from evoter.federated.populations import CodedRuleSets
from evoter.federated.sums import Sums
from evoter.rules.interpreter import decide
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Kind
from evoter.tables import encode, infer_schema, rows
from federated_tables import make_table

TABLE, LABELS = make_table(150, seed=3)
SCHEMA = infer_schema(TABLE, actions=["sick", "well"])
CLASSES = np.array([SCHEMA.actions.index(label) for label in LABELS])
ROWS = CountedRows(SCHEMA, encode(TABLE, SCHEMA), CLASSES)
TEXTS = (
    "age > 60 and town in {Bonn, Essen} -> sick; dose > 4.5 -> sick; smoker = true and age <= 40 -> well; Default -> well",
    "dose is missing -> well; age + 3*dose > 80 -> sick; town != Celle and age > 30 -> well; Default -> sick",
    "Default -> sick",
)
RULESETS = [RuleSet(r.rules, r.default, SCHEMA) for r in (parse(text, schema=SCHEMA) for text in TEXTS)]
CUTS = (np.array([30.0, 45.0, 60.5]), np.array([1.0, 4.5]))
SUMS = Sums(np.array([[0, 1], [1, 0]]), np.array([3.0, -0.2]))
SUM_CUTS = (np.array([40.0, 80.0]), np.array([-3.0]))


def decider(ruleset: RuleSet) -> list[int]:
    """Return which rule decides each row, by the interpreter; the number of rules is the default's."""
    found = []
    for row in rows(TABLE, SCHEMA):
        active = decide(ruleset, row).active
        found.append(min(active, default=len(ruleset.rules)))
    return found


def test_tables_are_those_of_the_interpreter() -> None:
    population = CodedRuleSets.of_rulesets(RULESETS, SCHEMA, with_actions=False)
    counts = ROWS.count(Tables(Agreement(SCHEMA), population)).reshape(-1, 2)
    expected = []
    for ruleset in RULESETS:
        table = np.zeros((len(ruleset.rules) + 1, 2), np.int64)
        np.add.at(table, (np.array(decider(ruleset)), CLASSES), 1)
        expected.append(table)
    np.testing.assert_array_equal(counts, np.concatenate(expected))


def test_sketches_count_what_is_above_each_edge_and_not_above_the_next() -> None:
    counts = ROWS.count(Sketch(Agreement(SCHEMA), CUTS))
    ages, doses = TABLE["age"], TABLE["dose"]
    assert counts[:5].tolist() == [(ages <= 30).sum(), ((ages > 30) & (ages <= 45)).sum(), *counts[2:4], 0]
    assert counts[5:].tolist()[::3] == [(doses <= 1.0).sum(), doses.isna().sum()]
    assert counts[:5].sum() == counts[5:].sum() == len(TABLE)


@pytest.mark.parametrize("context", [(0, 0, 1), (0, 1, EXTEND), (0, 3, INSERT), (1, 2, 0), (1, 0, 0), (2, 0, INSERT)])
def test_histograms_tell_what_a_condition_would_change(context: tuple[int, int, int]) -> None:
    population = CodedRuleSets.of_rulesets(RULESETS, SCHEMA, with_actions=True)
    request = Moves(Agreement(SCHEMA), (*CUTS, *SUM_CUTS), population, np.array([context]), SUMS)
    counts = ROWS.count(request)
    assert len(counts) == n_counts(request)
    individual, rule, left_out = context
    ruleset = population.rulesets(SCHEMA)[individual]
    assert ruleset == RULESETS[individual] or ruleset.n_conditions == RULESETS[individual].n_conditions
    rules = list(ruleset.rules)
    before = RuleSet(tuple(rules[:rule]), "well", SCHEMA)
    after = RuleSet(tuple(rules[rule + (left_out != INSERT) :]), ruleset.default, SCHEMA)
    kept = () if left_out == INSERT else tuple(c for n, c in enumerate(rules[rule].conditions) if n != left_out)
    sizes = n_bins(SCHEMA, (*CUTS, *SUM_CUTS))
    starts = np.cumsum([0, *sizes])
    expected = np.zeros((starts[-1], 2, 2), np.int64)
    for number, row in enumerate(rows(TABLE, SCHEMA)):
        held = not kept or decide(RuleSet((rules[rule].__class__(kept, "well"),), "well", SCHEMA), row).active
        if decide(before, row).active or not held:
            continue
        follows = SCHEMA.actions.index(decide(after, row).action)
        for position, feature in enumerate(SCHEMA.features):
            value = row[feature.name]
            cuts = CUTS[position] if feature.kind is Kind.NUMERIC else ()
            if value is None:
                bin_ = sizes[position] - 1
            elif feature.kind is Kind.NUMERIC:
                bin_ = int((np.asarray(cuts) < value).sum())
            else:
                bin_ = feature.categories.index(value) if feature.kind is Kind.CATEGORICAL else int(value)
            expected[starts[position] + bin_, CLASSES[number], follows] += 1
        for position, text in ((4, "age + 3*dose > {}"), (5, "dose - 0.2*age > {}")):
            bin_ = len(SUM_CUTS[position - 4]) + 1
            if row["dose"] is not None:
                above = [f"{text.format(cut)} -> sick; Default -> well" for cut in SUM_CUTS[position - 4]]
                bin_ = sum(decide(parse(each, schema=SCHEMA), row).action == "sick" for each in above)
            expected[starts[position] + bin_, CLASSES[number], follows] += 1
    np.testing.assert_array_equal(counts.reshape(expected.shape), expected)


def test_rows_of_other_classes_are_left_out_and_no_rows_are_none() -> None:
    population = CodedRuleSets.of_rulesets(RULESETS, SCHEMA, with_actions=True)
    nothing = CountedRows(SCHEMA, encode(TABLE, SCHEMA), np.full(len(TABLE), -1))
    requests = (
        Tables(Agreement(SCHEMA), population),
        Sketch(Agreement(SCHEMA), CUTS),
        Moves(Agreement(SCHEMA), CUTS, population, np.array([[0, 0, 0], [2, 0, INSERT]])),
    )
    for request in requests:
        counts = nothing.count(request)
        assert len(counts) == n_counts(request)
        assert not counts.any()
