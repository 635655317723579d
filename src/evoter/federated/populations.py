"""Populations in messages: which antecedents each rule set has, as numbers that are checked before kernels see them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from evoter.evolution.checkpoint import CheckpointError
from evoter.evolution.validity import check_antecedents
from evoter.federated.errors import MessageError
from evoter.genome.arrays import compact, empty_antecedents, empty_population
from evoter.genome.codec import decode, encode
from evoter.kernels.conditions.codes import N_CODES, N_NUMBERS
from evoter.kernels.layout import (
    ACTION,
    DEFAULT,
    N_CONDITIONS,
    N_RULES,
    SERIAL,
    SIZE,
    SLOT,
    Antecedents,
    Ints,
    Population,
)
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema

MAX_INDIVIDUALS: Final = 20_000
MAX_RULES: Final = 1_024
MAX_CONDITIONS: Final = 64
MAX_ANTECEDENTS: Final = 200_000


@dataclass(frozen=True, slots=True)
class CodedRuleSets:
    """Rule sets as lists of antecedents, and their actions where these matter; the last action is the default's.

    Antecedents are those of a pool in which each is used and occurs once, as `compact` makes it.
    """

    antecedents: Antecedents
    n_rules: Ints
    slots: Ints
    actions: Ints | None = None

    @classmethod
    def of(cls, population: Population, *, with_actions: bool) -> Self:
        """Return what a message needs of a population."""
        small = compact(population)
        used = np.arange(small.max_rules) < small.n_rules[:, None]
        actions = None
        if with_actions:
            rows = zip(small.rules[:, :, ACTION], small.n_rules, small.header[:, DEFAULT], strict=True)
            parts = [np.append(row[:n], default) for row, n, default in rows]
            actions = np.concatenate([np.empty(0, np.int64), *parts])
        return cls(small.antecedents, small.n_rules.copy(), small.rules[used, SLOT], actions)

    @classmethod
    def of_rulesets(cls, rulesets: list[RuleSet], schema: Schema, *, with_actions: bool) -> Self:
        """Return what a message needs of rule sets over a schema."""
        return cls.of(encode(rulesets, schema), with_actions=with_actions)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of a message; conditions that antecedents do not have are left out."""
        pool = self.antecedents
        used = np.arange(pool.codes.shape[1]) < pool.facts[:, N_CONDITIONS, None]
        arrays: dict[str, NDArray[Any]] = {
            "n_conditions": pool.facts[:, N_CONDITIONS],
            "sizes": pool.facts[:, SIZE],
            "codes": pool.codes[used],
            "numbers": pool.numbers[used],
            "n_rules": self.n_rules,
            "slots": self.slots,
        }
        return arrays if self.actions is None else arrays | {"actions": self.actions}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], schema: Schema) -> Self:
        """Read the arrays of a message; refuse whatever evolution could not have written."""
        n_conditions, sizes = _whole(arrays, "n_conditions"), _whole(arrays, "sizes")
        n_rules, slots = _whole(arrays, "n_rules"), _whole(arrays, "slots")
        n_slots = len(n_conditions)
        _check(n_slots <= MAX_ANTECEDENTS and len(sizes) == n_slots, "antecedents")
        _check(_within(n_conditions, 1, MAX_CONDITIONS), "numbers of conditions")
        _check(len(n_rules) <= MAX_INDIVIDUALS and _within(n_rules, 0, MAX_RULES), "numbers of rules")
        _check(len(slots) == n_rules.sum() and _within(slots, 0, n_slots - 1), "antecedents of rules")
        none = np.empty(0)
        codes, numbers = arrays.get("codes", none), arrays.get("numbers", none)
        total = int(n_conditions.sum())
        _check(codes.shape == (total, N_CODES) and codes.dtype == np.int64, "codes")
        _check(numbers.shape == (total, N_NUMBERS) and numbers.dtype == np.float64, "numbers")
        pool = empty_antecedents(max(n_slots, 1), int(n_conditions.max(initial=1)))
        pool.facts[:n_slots, N_CONDITIONS], pool.facts[:n_slots, SIZE] = n_conditions, sizes
        pool.facts[:n_slots, SERIAL] = np.arange(1, n_slots + 1)
        used = np.arange(pool.codes.shape[1]) < pool.facts[:, N_CONDITIONS, None]
        pool.codes[used], pool.numbers[used] = codes, numbers
        pool = Antecedents(pool.facts[:n_slots], pool.codes[:n_slots], pool.numbers[:n_slots])
        try:
            check_antecedents(pool, schema, pool.codes.shape[1])
        except CheckpointError:
            raise MessageError("a population must hold conditions on features of the schema only") from None
        actions = None
        if "actions" in arrays:
            actions = _whole(arrays, "actions")
            _check(len(actions) == len(slots) + len(n_rules), "actions")
            _check(_within(actions, 0, len(schema.actions) - 1), "actions")
        return cls(pool, n_rules, slots, actions)

    def population(self) -> Population:
        """Return the rule sets as kernels see them."""
        n = len(self.n_rules)
        pool = self.antecedents if len(self.antecedents.facts) else empty_antecedents(1, 1)
        population = empty_population(n, max(int(self.n_rules.max(initial=0)), 1), pool)
        population.header[:, N_RULES] = self.n_rules
        used = np.arange(population.max_rules) < self.n_rules[:, None]
        population.rules[used, SLOT] = self.slots
        if self.actions is not None:
            last = np.cumsum(self.n_rules + 1) - 1
            population.header[:, DEFAULT] = self.actions[last]
            population.rules[used, ACTION] = np.delete(self.actions, last)
        return population

    def rulesets(self, schema: Schema) -> list[RuleSet]:
        """Return the rule sets as values, with their actions."""
        population = self.population()
        return [decode(population, i, schema) for i in range(population.size)]

    def n_conditions_of(self, individual: int, rule: int) -> int:
        """Return the number of conditions of a rule."""
        slot = self.slots[int(self.n_rules[:individual].sum()) + rule]
        return int(self.antecedents.facts[slot, N_CONDITIONS])


def _whole(arrays: Mapping[str, NDArray[Any]], name: str) -> Ints:
    array = arrays.get(name)
    if array is None or array.ndim != 1 or array.dtype != np.int64:
        raise MessageError(f"a population must have whole numbers as {name!r}")
    return array


def _within(values: Ints, least: int, most: int) -> bool:
    return values.size == 0 or bool(values.min() >= least and values.max() <= most)


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise MessageError(f"a population must have {what} within the limits")
