"""Populations of policies that keep guardrails: what they observe is not known beforehand, so the rules are changed."""

from dataclasses import dataclass, field

import numpy as np

from evoter.genome.codec import decode, encode
from evoter.kernels.layout import Ints, Population
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.model import Mode, Rule, RuleSet


@dataclass(frozen=True)
class PopulationGuard:
    """Guards whole populations, and remembers rules that it has seen: most of a generation come from the last one."""

    guardrails: Guardrails
    mode: Mode
    _known: dict[Rule, tuple[Rule, ...]] = field(default_factory=dict)

    def guard(self, population: Population) -> tuple[Population, Ints]:
        """Return the population with pinned rules in front and rules that keep away from where they are forbidden.

        Also returns for each of these rules the number of the evolved rule that it comes from, -1 for pinned ones.
        """
        schema = self.guardrails.schema
        pairs = [self.guard_one(decode(population, i, schema, self.mode)) for i in range(population.size)]
        guarded = encode([ruleset for ruleset, _ in pairs], schema)
        numbers = np.full((population.size, guarded.max_rules), -1, np.int64)
        for row, (_, origins) in zip(numbers, pairs, strict=True):
            row[: len(origins)] = origins
        return guarded, numbers

    def guard_one(self, ruleset: RuleSet) -> tuple[RuleSet, list[int]]:
        """Return a rule set as `Guardrails.guard` does, and for each rule the number of the one that it comes from."""
        rails = self.guardrails
        evolved = [rule for rule in ruleset.rules if rule not in rails.pinned]
        parts = [self._guarded(rule) for rule in evolved]
        rules = (*rails.pinned, *(rule for part in parts for rule in part))
        origins = [-1] * len(rails.pinned) + [k for k, part in enumerate(parts) for _ in part]
        return ruleset.replace(rules=rules, default=rails.default(ruleset.default)), origins

    def _guarded(self, rule: Rule) -> tuple[Rule, ...]:
        if rule not in self._known:
            self._known[rule] = tuple(self.guardrails.guarded_rules(rule))
        return self._known[rule]


def counts_of_evolved(counts: Ints, origins: Ints, max_rules: int) -> Ints:
    """Return the counts of the evolved rules, each of which may have become several."""
    individuals, rules = np.nonzero(origins >= 0)
    totals = np.zeros((len(origins), max_rules), np.int64)
    np.add.at(totals, (individuals, origins[individuals, rules]), counts[individuals, rules])
    return totals
