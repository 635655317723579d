"""Counting at a site: rows laid out for an agreed schema, and what requests ask about them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evoter.federated.messages import EXTEND, INSERT, Moves, Sketch, Tables, n_bins
from evoter.genome.arrays import table_rows
from evoter.genome.deciding import claim_order, row_decider
from evoter.kernels.layout import Floats, Ints
from evoter.kernels.threads import Threads
from evoter.problems.classification.class_orders import sorted_by_class
from evoter.problems.classification.frequencies import counted_by_rule
from evoter.problems.deciding import decide_columns
from evoter.problems.mask_cache import MaskCache
from evoter.rules.model import Condition, Mode, Rule, RuleSet
from evoter.rules.schema import Kind, Schema


class CountedRows:
    """The rows of a site, feature by feature as `evoter.tables.encode` makes them, with the positions of their classes.

    Rows of a class that the schema does not list have -1 and are left out.
    """

    def __init__(self, schema: Schema, columns: Floats, classes: Ints) -> None:
        self.schema = schema
        self._classes = classes[classes >= 0]
        self._columns = np.ascontiguousarray(columns[:, classes >= 0])
        positions, self._segments = sorted_by_class(self._classes, len(schema.actions))
        self._rows = table_rows(self._columns, schema, positions)
        self._threads = Threads(1)

    def count(self, request: Sketch | Tables | Moves) -> Ints:
        """Return the counts that a request asks for, one after the other."""
        match request:
            case Sketch():
                return self._sketch(request.edges)
            case Tables():
                return self._tables(request)
            case Moves():
                return self._moves(request)

    def _sketch(self, edges: Sequence[Floats]) -> Ints:
        numeric = [n for n, feature in enumerate(self.schema.features) if feature.kind is Kind.NUMERIC]
        parts = [
            np.bincount(_bins(self._columns[position], some), minlength=len(some) + 2)
            for position, some in zip(numeric, edges, strict=True)
        ]
        return np.concatenate([np.empty(0, np.int64), *parts])

    def _tables(self, request: Tables) -> Ints:
        population = request.population.population()
        n, n_columns, n_classes = population.size, population.max_rules + 1, len(self.schema.actions)
        tables = np.zeros((n, n_columns, n_classes))
        if len(self._classes) > 0 and n > 0:
            decider, order = row_decider(Mode.FIRST), claim_order(population, Mode.FIRST)
            decided, no_losses = np.zeros((n, n_columns), np.int64), np.zeros(n)
            outputs = (np.ones(n_classes), False, decided, tables, no_losses)
            for masks in MaskCache(self._rows).chunks(population, self._threads):
                words = slice(masks.first_word, masks.first_word + masks.words.shape[1])
                segments = np.clip(self._segments, words.start, words.stop) - words.start
                view = (self._rows.valid[words], segments, np.empty(0))
                inputs = (decider.code, order, masks.mask_rows, masks.words, *view)
                work = float(population.n_rules.sum()) * masks.words.shape[1] * decider.cost
                self._threads.run(decider.tally, n, work, counted_by_rule(population), *inputs, *outputs)
        used = np.arange(n_columns) < population.n_rules[:, None]
        used[:, -1] = True
        counts: Ints = np.rint(tables[used]).astype(np.int64).ravel()
        return counts

    def _moves(self, request: Moves) -> Ints:
        rulesets = request.population.rulesets(self.schema)
        sizes = n_bins(self.schema, request.cuts)
        starts = np.cumsum([0, *sizes])
        numeric = iter(request.cuts)
        n_features = len(self._columns)
        bins = np.empty((n_features + len(request.sums), len(self._classes)), np.int64)
        for position, feature in enumerate(self.schema.features):
            if feature.kind is Kind.NUMERIC:
                bins[position] = _bins(self._columns[position], next(numeric))
            else:
                bins[position] = _category_bins(self._columns[position], sizes[position])
        for position, values in enumerate(request.sums.values(self._columns), n_features):
            bins[position] = _bins(values, next(numeric))
        bins += starts[:-1, None]
        n_classes = len(self.schema.actions)
        places = {}
        parts = [np.empty(0, np.int64)]
        holds = self._truths(rulesets)
        for individual, rule, left_out in request.contexts.tolist():
            if individual not in places:
                places[individual] = _Places(rulesets[individual], holds, len(self._classes))
            members, following = places[individual].reached(rule, left_out)
            cells = self._classes[members] * n_classes + following
            flat = (bins[:, members] * n_classes**2 + cells).ravel()
            parts.append(np.bincount(flat, minlength=int(starts[-1]) * n_classes**2))
        return np.concatenate(parts)

    def _truths(self, rulesets: Sequence[RuleSet]) -> dict[Condition, NDArray[np.bool_]]:
        """Return on which rows each condition of some rule sets holds."""
        every = dict.fromkeys(c for ruleset in rulesets for rule in ruleset.rules for c in rule.conditions)
        action = self.schema.actions[0]
        if not every or len(self._classes) == 0:
            return {condition: np.zeros(len(self._classes), np.bool_) for condition in every}
        alone = RuleSet(tuple(Rule((condition,), action) for condition in every), action, self.schema)
        return dict(zip(every, decide_columns(alone, self._columns).active.T, strict=True))


class _Places:
    """Which rows reach each place of a rule set, and what is done with them if no condition there holds."""

    def __init__(self, ruleset: RuleSet, holds: dict[Condition, NDArray[np.bool_]], n_rows: int) -> None:
        actions = ruleset.schema.actions
        self._conditions = [[holds[condition] for condition in rule.conditions] for rule in ruleset.rules]
        self._everywhere = np.ones(n_rows, np.bool_)
        active = [self._all(conditions) for conditions in self._conditions]
        # The rows that reach rule k, and what the rules from k on do.
        self._undecided = [self._everywhere]
        for rows in active:
            self._undecided.append(self._undecided[-1] & ~rows)
        self._following = [np.full(n_rows, actions.index(ruleset.default), np.int64)]
        for rows, rule in zip(reversed(active), reversed(ruleset.rules), strict=True):
            self._following.insert(0, np.where(rows, actions.index(rule.action), self._following[0]))

    def reached(self, rule: int, left_out: int) -> tuple[Ints, Ints]:
        """Return the rows of a context, and for each the action that follows where its rule does not hold."""
        if left_out == INSERT:
            rows, following = self._undecided[rule], self._following[rule]
        else:
            kept = [each for c, each in enumerate(self._conditions[rule]) if left_out == EXTEND or c != left_out]
            rows, following = self._undecided[rule] & self._all(kept), self._following[rule + 1]
        members = np.flatnonzero(rows)
        return members, following[members]

    def _all(self, conditions: Sequence[NDArray[np.bool_]]) -> NDArray[np.bool_]:
        rows = self._everywhere
        for each in conditions:
            rows = rows & each
        return rows


def _bins(values: Floats, edges: Floats) -> Ints:
    """Return between which edges values lie: bin k has those above edge k - 1 and not above edge k; the last, NaN."""
    bins = np.searchsorted(edges, values, side="left").astype(np.int64)
    bins[np.isnan(values)] = len(edges) + 1
    return bins


def _category_bins(values: Floats, size: int) -> Ints:
    """Return the codes of categories; those that the schema does not list come after all others, then missing ones."""
    codes = np.where(values < 0, size - 2, values)
    return np.where(np.isnan(values), size - 1, codes).astype(np.int64)
