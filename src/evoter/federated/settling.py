"""The end of a federated run: rules with the counts of all sites, for a winner or for all candidates of a front."""

from collections.abc import Sequence

import numpy as np

from evoter.evolution.settings import Settings
from evoter.federated.exact_moves import settle_actions
from evoter.federated.problem import FederatedProblem
from evoter.genome.codec import encode
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.frequencies import smooth
from evoter.rules.answers.rule_counts import count_rules
from evoter.rules.answers.track_record import TrackRecord
from evoter.rules.model import RuleSet
from evoter.rules.simplify import simplify


def finish(ruleset: RuleSet, times_decided: Sequence[int], problem: FederatedProblem, settings: Settings) -> RuleSet:
    """Prune and simplify a rule set as it evolved, and give its rules the most frequent classes where that is best."""
    ruleset = problem.final_form(ruleset, times_decided)
    if not settings.majority_actions or problem.metric != "accuracy":
        return ruleset
    (table,) = problem.tables(encode([ruleset], problem.schema), forget=False)
    return simplify(_with_frequent_classes(ruleset, table))


def settle(rulesets: Sequence[RuleSet], problem: FederatedProblem) -> list[RuleSet]:
    """Return rule sets over the features they read, with what all sites count: one round for all of them.

    Where actions do not matter to the measure, evolution has left them to chance: they become the most frequent
    classes.
    """
    schema = problem.schema
    alone = [RuleSet((rule,), each.default, schema) for each in rulesets for rule in each.rules]
    tables = problem.tables(encode([*rulesets, *alone], schema))
    on_their_own = iter(tables[len(rulesets) :])
    totals = problem.class_totals()
    settled = []
    for ruleset, table in zip(rulesets, tables[: len(rulesets)], strict=True):
        held = [int(next(on_their_own)[0].sum()) for _ in ruleset.rules]
        changed = _with_frequent_classes(ruleset, table) if problem.ignores_actions else ruleset
        settled.append(_recorded(changed, table, held, totals))
    return settled


def _with_frequent_classes(ruleset: RuleSet, table: Ints) -> RuleSet:
    return settle_actions(ruleset, table, np.eye(table.shape[1], dtype=np.int64))


def _recorded(ruleset: RuleSet, table: Ints, held: Sequence[int], totals: Floats) -> RuleSet:
    """Return a rule set with its track records: `table[rule, class]` are the rows that each rule decided."""
    n_rows = int(totals.sum())
    decided = table.sum(axis=1)
    # Suppressed and noisy counts need not agree: what decided a row held on it.
    applied = np.maximum([*held, decided[-1]], decided)
    shares = smooth(table.astype(np.float64), totals, max(n_rows, 1))
    records = [TrackRecord(tuple(row), tuple(p)) for row, p in zip(table.tolist(), shares.tolist(), strict=True)]
    counts = count_rules("training rows", max(n_rows, int(applied.max())), applied, decided)
    return ruleset.restricted().replace(records=records, counts=counts)
