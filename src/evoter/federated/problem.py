"""The task of a federated run: rule sets that are scored from the summed counts of sites, and refined by them."""

import hashlib
from collections.abc import Sequence
from typing import Final

import numpy as np

from evoter.evolution.problem import Capability, Evaluation, Objective
from evoter.evolution.settings import Settings
from evoter.federated.coordinator import Coordinator
from evoter.federated.errors import FederationError
from evoter.federated.exact_moves import Limits, Moving, Worth, settle_actions
from evoter.federated.populations import CodedRuleSets
from evoter.federated.sums import N_SUMS
from evoter.genome.arrays import compact, pick
from evoter.genome.codec import encode
from evoter.kernels.layout import ACTION, DEFAULT, N_CONDITIONS, N_RULES, SLOT, Floats, Grammar, Ints, Population
from evoter.kernels.threads import Threads
from evoter.problems.classification.fitness import MEASURES, Counts
from evoter.problems.classification.frequencies import FREQUENCY_MEASURES, OBJECTIVES, Frequencies, smooth
from evoter.problems.classification.rewards import rewards_by_class, score_range, uncertainty
from evoter.problems.grammars import grammar_of
from evoter.problems.secondary import Secondary
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Schema
from evoter.rules.simplify import prune_inactive, simplify

METRICS: Final = tuple(sorted(set(OBJECTIVES) - {"log_loss"}))
"""The metrics that counts by rule and class tell; log-loss needs certainties, which rules in mode first do not have."""

MOST_ATTEMPTS: Final = 10
"""How often tables are asked for again because other sites answer than before."""


class FederatedProblem:
    """Rows that lie at sites, with known classes; the schema's actions are the classes, in order.

    Evaluation asks for one table for each rule set [rule, class]; what was asked for in the last generation is known,
    and rule sets that differ in their actions alone have the same table. If other sites answer than before, everything
    is asked for again, so that scores that are compared are always of the same rows.
    """

    mode = Mode.FIRST
    redraws = True

    def __init__(
        self,
        coordinator: Coordinator,
        schema: Schema,
        cuts: tuple[Floats, ...],
        metric: str,
        secondary: Sequence[Secondary] = (),
    ) -> None:
        self.schema = schema
        self.cuts = cuts
        self.metric = metric
        self.objectives: tuple[Objective, ...] = (OBJECTIVES[metric], *(each.objective for each in secondary))
        self.ignores_actions = metric in FREQUENCY_MEASURES
        self._secondary = tuple(secondary)
        self._coordinator = coordinator
        self._tables: dict[bytes, Ints] = {}
        self._sites: tuple[str, ...] = ()

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What this task supports, with its metric."""
        supported = {Capability.MISSING_VALUES}
        if self._rewards(np.ones(len(self.schema.actions))) is not None:
            supported.add(Capability.REFINEMENT)
        if self.metric == "accuracy" and not self._secondary:
            supported.add(Capability.FINAL_PRUNING)
        return frozenset(supported)

    def grammar(self, settings: Settings) -> Grammar:
        """Return the grammar, with the constants of the agreed grid."""
        return grammar_of(settings, self.schema, None, cuts=self.cuts)

    def fingerprint(self) -> str:
        """Return a digest of the schema, the grid, the metric and the names of the sites."""
        digest = hashlib.sha256(f"{self.metric} {self.schema!r} {self._coordinator.sites}".encode())
        for cuts in self.cuts:
            digest.update(np.ascontiguousarray(cuts).data)
        for each in self._secondary:
            digest.update(f"{each.objective!r} {each.details}".encode())
        return digest.hexdigest()

    def evaluate(self, population: Population, threads: Threads, seed: int = 0) -> Evaluation:
        """Score a population by the counts of all sites."""
        tables = self.tables(population)
        totals = self.class_totals()
        n, max_rules = population.size, population.max_rules
        decided = np.zeros((n, max_rules + 1, len(totals)), np.int64)
        for i, table in enumerate(tables):
            decided[i, : len(table) - 1], decided[i, max_rules] = table[:-1], table[-1]
        scores = self._score(population, decided, totals, threads)
        by_rule = decided.sum(axis=2)
        found = Evaluation(scores[:, None], by_rule[:, :max_rules], by_rule[:, :max_rules], by_rule[:, max_rules])
        others = [each.score(population, found) for each in self._secondary]
        return found._replace(scores=np.column_stack([scores, *others]))

    def _score(self, population: Population, decided: Ints, totals: Floats, threads: Threads) -> Floats:
        weights = decided.astype(np.float64)
        if self.metric in FREQUENCY_MEASURES:
            smoothed = smooth(weights, totals, max(int(totals.sum()), 1))
            return FREQUENCY_MEASURES[self.metric][1](Frequencies(weights, smoothed), threads)
        actions = np.column_stack([population.rules[:, :, ACTION], population.header[:, DEFAULT]])
        confusion = np.zeros((len(weights), len(totals), len(totals)))
        for action in range(len(totals)):
            confusion[:, action] = (weights * (actions == action)[:, :, None]).sum(axis=1)
        return MEASURES[self.metric][1](Counts(confusion, np.zeros(len(weights)), totals))

    def class_totals(self) -> Floats:
        """Return the number of rows of each class at the sites that answer: the table of a rule set without rules."""
        totals: Floats = self._tables[b""].sum(axis=0).astype(np.float64)
        return totals

    def tables(self, population: Population, *, forget: bool = True) -> list[Ints]:
        """Return the rows of each class that the rules of each individual decide [rule, class]; the default is last.

        All other tables are forgotten, or else kept for the generation to come.
        """
        keys = antecedent_keys(population)
        wanted = dict(zip(keys, range(len(keys)), strict=True))
        for _ in range(MOST_ATTEMPTS):
            new = [key for key in wanted if key not in self._tables]
            if b"" not in self._tables and b"" not in wanted:
                new.append(b"")
            if not new:
                found = [self._tables[key] for key in keys]
                if forget:
                    self._tables = {key: self._tables[key] for key in {*keys, b""}}
                return found
            asked, sites = self._ask(population, [wanted.get(key, -1) for key in new])
            if sites != self._sites:
                # Others have answered than those that the known tables are of.
                complete = len(new) == len(set(wanted) | {b""})
                self._tables, self._sites = {}, sites
                if not complete:
                    continue
            self._tables |= dict(zip(new, asked, strict=True))
        raise FederationError("other sites answer every time: wait until they are connected, and resume")

    def _ask(self, population: Population, individuals: list[int]) -> tuple[list[Ints], tuple[str, ...]]:
        """Ask for the tables of some individuals; -1 is a rule set without rules."""
        chosen = pick(population, np.array(individuals, dtype=np.int64))
        chosen.header[np.array(individuals) < 0, N_RULES] = 0
        tables, sites = self._coordinator.tables(CodedRuleSets.of(chosen, with_actions=False))
        return [np.maximum(table, 0) for table in tables], sites  # noise may have made counts negative

    def _rewards(self, totals: Floats) -> Floats | None:
        return rewards_by_class(self.metric, np.ones(len(totals)), totals)

    @property
    def score_range(self) -> float:
        """How far decisions can move the score."""
        return score_range(self._rewards(self.class_totals()), self.class_totals())

    @property
    def uncertainty(self) -> float:
        """How far chance may move the score; rows count as different, because nobody can compare them."""
        totals = self.class_totals()
        return uncertainty(self._rewards(totals), totals, max(int(totals.sum()), 1))

    def refined(self, parents: Sequence[RuleSet], settings: Settings, prices: Floats, seed: int) -> Sequence[RuleSet]:
        """Return a child for each parent after exact moves, each rule with its best action."""
        rewards = self._rewards(self.class_totals())
        assert rewards is not None
        temperature = settings.refinement_temperature * self.uncertainty
        worth = Worth.of(rewards, temperature=temperature)
        limits = Limits(
            settings.max_rules,
            settings.max_conditions,
            sets=settings.set_rate > 0.0,
            missing=settings.missing_rate > 0.0,
            n_sums=N_SUMS if settings.sum_rate > 0.0 else 0,
        )
        moving = Moving(self._coordinator, self.schema, self.cuts, worth, limits)
        children = moving.refine(parents, prices, settings.refinement_moves, seed)
        tables = self.tables(encode(children, self.schema), forget=False)
        return [settle_actions(child, table, worth.rewards) for child, table in zip(children, tables, strict=True)]

    def final_form(self, ruleset: RuleSet, counts: Sequence[int]) -> RuleSet:
        """Return a rule set without rules that never decide, simplified so that the metric stays the same."""
        return simplify(prune_inactive(ruleset, counts), same_deciders=self.ignores_actions)


def antecedent_keys(population: Population) -> list[bytes]:
    """Return for each individual the bytes that its antecedents have: those of equal ones are equal, in any pool."""
    small = compact(population)
    pool = small.antecedents
    names = [
        hashlib.blake2b(
            pool.codes[slot, :n].tobytes() + pool.numbers[slot, :n].tobytes() + bytes([int(n)]), digest_size=16
        ).digest()
        for slot, n in enumerate(pool.facts[:, N_CONDITIONS])
    ]
    rows = zip(small.rules[:, :, SLOT].tolist(), small.n_rules.tolist(), strict=True)
    return [b"".join(names[slot] for slot in slots[:n]) for slots, n in rows]
