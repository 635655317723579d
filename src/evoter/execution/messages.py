"""Populations as messages: each antecedent is sent once, and populations as numbers of antecedents that are known."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.genome.arrays import empty_antecedents
from evoter.kernels.layout import N_RULES, SERIAL, Antecedents, Floats, Ints, Population

Array = NDArray[Any]


class PopulationMessage(NamedTuple):
    """A population as it is sent: rules one after the other, and the antecedents that the receiver does not have yet.

    It continues message number `base`, after which the receiver has all other antecedents; a `base` of -1 brings all.
    """

    number: int
    base: int
    capacity: int
    header: Array
    rules: Array
    certainties: Floats
    default_certainties: Floats
    max_rules: int
    slots: Array
    facts: Ints
    codes: "Sparse"
    numbers: "Sparse"


class Outgoing:
    """A population on its way to receivers, of whom some had the message before and some had none."""

    def __init__(self, number: int, population: Population, slots: Ints, new: Ints) -> None:
        self.number = number
        self._population = population
        self._slots = slots
        self._new = new

    @property
    def base(self) -> int:
        """The number of the message before."""
        return self.number - 1

    def message(self, *, whole: bool) -> PopulationMessage:
        """Return the message with all antecedents, or for those who had the message before."""
        population = self._population
        pool, slots = population.antecedents, self._slots if whole else self._new
        used = np.arange(population.max_rules) < population.n_rules[:, None]
        return PopulationMessage(
            number=self.number,
            base=-1 if whole else self.base,
            capacity=len(pool.facts),
            header=population.header.astype(np.int32),
            rules=population.rules[used].astype(np.int32),
            certainties=population.certainties[used],
            default_certainties=population.default_certainties,
            max_rules=population.max_rules,
            slots=slots,
            facts=pool.facts[slots],
            codes=sparse(pool.codes[slots]),
            numbers=sparse(pool.numbers[slots]),
        )


class Sender:
    """Numbers populations, and keeps track of which antecedents receivers of all messages so far have.

    Over another pool it begins again: nobody has any antecedent of that.
    """

    def __init__(self) -> None:
        self._number = 0
        self._pool: Ints | None = None
        self._known = np.empty(0, np.int64)

    def send(self, population: Population) -> Outgoing:
        """Return the next message."""
        facts = population.antecedents.facts
        self._number += 1
        if self._pool is not facts:
            self._number += 1  # nobody has had the message before
            self._pool, self._known = facts, np.zeros(len(facts), np.int64)
        slots = np.unique(population.used_slots)
        new = slots[self._known[slots] != facts[slots, SERIAL]]
        self._known[new] = facts[new, SERIAL]
        # All that later messages take for known, and not only what this population uses.
        known = np.flatnonzero((self._known == facts[:, SERIAL]) & (self._known > 0))
        return Outgoing(self._number, population, known, new)


class Receiver:
    """Keeps the antecedents of earlier messages, in the slots of the sender, and turns messages into populations."""

    def __init__(self) -> None:
        self._number = -1
        self._pool: Antecedents | None = None
        self._population: Population | None = None

    def receive(self, message: PopulationMessage) -> Population:
        """Return the population of a message; the same message may come again."""
        if message.number == self._number and self._population is not None:
            return self._population
        if message.base >= 0 and message.base != self._number:
            raise ValueError(f"message {message.number} continues {message.base}, but the last was {self._number}")
        pool = self._pool
        if message.base < 0 or pool is None:
            # New arrays, so that masks of antecedents that were in the same slots before are not taken for theirs.
            pool = empty_antecedents(message.capacity, message.codes.shape[1])
        self._number = -1
        pool.facts[message.slots] = message.facts
        pool.codes[message.slots] = dense(message.codes)
        pool.numbers[message.slots] = dense(message.numbers)
        n = len(message.header)
        used = np.arange(message.max_rules) < message.header[:, N_RULES, None]
        rules = np.zeros((n, message.max_rules, message.rules.shape[1]), np.int64)
        rules[used] = message.rules
        certainties = np.ones((n, message.max_rules))
        certainties[used] = message.certainties
        header, defaults = message.header.astype(np.int64), message.default_certainties.copy()
        self._population = Population(pool, header, rules, certainties, defaults)
        self._pool, self._number = pool, message.number
        return self._population


class Sparse(NamedTuple):
    """An array in few bytes: its shape, and where it has values other than 0; with an empty `where`, all its values."""

    shape: tuple[int, ...]
    where: Array
    values: Array


def sparse(array: Array) -> Sparse:
    """Leave out zeros where most numbers are 0, and use fewer bytes for small whole numbers."""
    values = array.reshape(-1)
    # By their bits: -0.0 is a number of its own.
    where = np.flatnonzero(values.view(np.int64) if values.dtype == np.float64 else values)
    if 2 * len(where) < values.size < 2**32 and len(where):
        where, values = where.astype(np.uint32), values[where]
    else:
        where = where[:0]
    if values.dtype == np.int64 and np.abs(values).max(initial=0) < 2**31:
        values = values.astype(np.int32)
    return Sparse(array.shape, where, values)


def dense(packed: Sparse) -> Array:
    """Return the array that `sparse` was given.

    >>> dense(sparse(np.array([[0, 3, 0], [0, 0, 0]])))
    array([[0, 3, 0],
           [0, 0, 0]])
    """
    kind = np.int64 if packed.values.dtype == np.int32 else packed.values.dtype
    if not len(packed.where):
        return packed.values.astype(kind).reshape(packed.shape)
    array = np.zeros(int(np.prod(packed.shape)), kind)
    array[packed.where] = packed.values
    return array.reshape(packed.shape)
