"""Tests of the end of a run: what rules do, from the counts of all sites."""

import numpy as np

from evoter.evolution.settings import Settings
from evoter.federated.settling import finish, settle
from evoter.rules.parser import parse
from federated_tables import deal, make_problem, make_table

TABLE, LABELS = make_table(120, seed=7)
OWNERS = np.arange(120) % 3


def test_all_rule_sets_are_counted_in_one_round() -> None:
    problem = make_problem(deal(TABLE, LABELS, OWNERS))
    texts = ("age > 60 -> sick; dose > 4 -> sick; Default -> well", "age > 30 -> well; Default -> sick")
    n_rounds = problem._coordinator.n_rounds
    first, second = settle([parse(text, schema=problem.schema) for text in texts], problem)
    assert problem._coordinator.n_rounds == n_rounds + 1
    old, strong = TABLE["age"] > 60, TABLE["dose"] > 4
    assert first.counts is not None
    assert first.counts.times_applied == (old.sum(), strong.sum(), (~old & ~strong).sum())
    assert first.counts.times_decided == (old.sum(), (strong & ~old).sum(), (~old & ~strong).sum())
    assert first.schema.names == ("age", "dose")
    assert [record.labels for record in second.records] == [
        tuple(((TABLE["age"] > 30) == above)[label == LABELS].sum() for label in ("sick", "well"))
        for above in (True, False)
    ]


def test_rules_get_the_most_frequent_class_where_accuracy_is_wanted() -> None:
    wrong = "age > 60 -> well; Default -> sick"
    problem = make_problem(deal(TABLE, LABELS, OWNERS))
    ruleset = parse(wrong, schema=problem.schema)
    done = finish(ruleset, [50], problem, Settings())
    majority = "sick" if (LABELS[TABLE["age"] <= 60] == "sick").mean() > 0.5 else "well"
    assert done.default == majority
    assert finish(ruleset, [50], problem, Settings(majority_actions=False)) == ruleset
    ranked = make_problem(deal(TABLE, LABELS, OWNERS), "roc_auc")
    (settled,) = settle([parse(wrong, schema=ranked.schema)], ranked)
    assert settled.default == majority
