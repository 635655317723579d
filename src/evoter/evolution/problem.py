"""What the engine asks of a task: a grammar to draw rule sets from, and scores for a population of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol, runtime_checkable

from evoter.evolution.settings import Settings
from evoter.kernels.layout import Floats, Grammar, Ints, Population, Refinement, Words
from evoter.kernels.threads import Threads
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Schema


@dataclass(frozen=True, slots=True)
class Objective:
    """A name for a score and whether more of it is better."""

    name: str
    maximise: bool = True


@dataclass(frozen=True, slots=True)
class Constraint:
    """A name for a number that has an upper limit; the less it is exceeded, the better."""

    name: str
    at_most: float


class Evaluation(NamedTuple):
    """What evaluating a population returns: scores per objective in the user's direction, and the counts per rule.

    Behind the objectives, the scores have a column for each constraint, where there are any.
    `times_applied` and `times_decided` have a column per rule; `default_applied` is the default's count.
    """

    scores: Floats
    times_applied: Ints
    times_decided: Ints
    default_applied: Ints

    def of(self, rows: Ints) -> "Evaluation":
        """Return what belongs to some individuals."""
        return Evaluation(
            self.scores[rows], self.times_applied[rows], self.times_decided[rows], self.default_applied[rows]
        )

    def with_rows(self, rows: Ints, part: "Evaluation") -> "Evaluation":
        """Return a copy in which some individuals have the evaluation `part`."""
        changed = Evaluation(*(array.copy() for array in self))  # type: ignore[arg-type]
        for array, new in zip(changed, part, strict=True):
            array[rows] = new
        return changed


class Problem(Protocol):
    """A task for evolution. Evaluation is pure: equal populations and seeds give equal results, on any thread."""

    @property
    def schema(self) -> Schema:
        """The features and actions of the rule sets."""
        ...

    @property
    def mode(self) -> Mode:
        """How the rule sets decide."""
        ...

    @property
    def objectives(self) -> tuple[Objective, ...]:
        """What the columns of the scores mean."""
        ...

    def grammar(self, settings: Settings) -> Grammar:
        """Return what conditions may be drawn."""
        ...

    def fingerprint(self) -> str:
        """Return a digest of the data and the task, so that a checkpoint is not resumed on another one."""
        ...

    def evaluate(self, population: Population, threads: Threads, seed: int) -> Evaluation:
        """Score a population; `seed` is the generation's, for tasks that draw at random."""
        ...


class Capability(StrEnum):
    """A part of the algorithm that settings belong to and that not every task supports."""

    REFINEMENT = "refinement"
    NOVELTY = "novelty"
    SAMPLES = "samples"
    TABLE_ROWS = "table rows"
    SOFT_TARGETS = "soft targets"
    FINAL_PRUNING = "final pruning"
    MISSING_VALUES = "missing values"


class Declaring(Problem, Protocol):
    """A task that declares what it supports, as every task of an estimator does.

    A setting that the task does not support is then refused instead of ignored (see `evoter.evolution.effects`).
    """

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What this task, with its mode and its objectives, supports."""
        ...


@runtime_checkable
class Refinable(Protocol):
    """A task whose score adds up over rows, so that the best change of one condition can be computed."""

    def refinement(self, grammar: Grammar, settings: Settings) -> Refinement | None:
        """Return what exact moves need, or None where this task's measure or mode does not allow them."""
        ...


@runtime_checkable
class SelfRefining(Protocol):
    """A task that makes exact moves itself, because its rows are elsewhere."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What this task supports; refinement, if its score adds up over rows."""
        ...

    def refined(self, parents: Sequence[RuleSet], settings: Settings, prices: Floats, seed: int) -> Sequence[RuleSet]:
        """Return a refined child for each parent, no larger than the settings allow; `seed` is the generation's.

        `prices` are what a condition costs each of them.
        """
        ...


@runtime_checkable
class Reweighted(Protocol):
    """A task with several objectives that add up over rows, so that a weighted sum of them can be refined."""

    def reweighted(self, refinement: Refinement, seed: int, generation: int) -> Refinement:
        """Return what exact moves need with other weights, drawn for a generation."""
        ...


@runtime_checkable
class Finishing(Protocol):
    """A task that knows better than `simplify` what a user gets of an evolved rule set."""

    def final_form(self, ruleset: RuleSet, counts: Sequence[int]) -> RuleSet:
        """Return the rule set as it will be used, given how often each rule decided."""
        ...


@runtime_checkable
class Guarded(Protocol):
    """A task whose rule sets must keep guardrails: they are part of its grammar, its evaluation and its final form."""

    @property
    def guardrails(self) -> Guardrails:
        """What every rule set of the task keeps."""
        ...


@runtime_checkable
class Constrained(Protocol):
    """A task with limits: rule sets within them beat all others; of the others, those that exceed them less win."""

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """What the columns of the scores behind the objectives mean."""
        ...


@runtime_checkable
class Relaxing(Protocol):
    """A task with constraints that are in the way of what is optimised, as equal rates of unequal groups are.

    Among the few that keep them, a search gets stuck. So rule sets that break them survive, too, if they are better
    than all that break them less; the winner keeps them if any does.
    """

    @property
    def relaxes(self) -> bool:
        """Whether this is so."""
        ...


@runtime_checkable
class Behaving(Protocol):
    """A task that can tell rule sets apart by what they do."""

    def behaviours(self, population: Population, threads: Threads) -> Words:
        """Return what each individual does, as bits [individual, plane, word]; other bits mean other decisions."""
        ...


@runtime_checkable
class Sampled(Protocol):
    """A task that can be evaluated on a part of its data."""

    def sampled(self, share: float, start: float = 0.0) -> Problem | None:
        """Return the task with this share of the data, always the same; None if it needs all data.

        `start` is the share of the data before it, in an order of the task, so that samples need not overlap.
        """
        ...


@runtime_checkable
class Comparing(Protocol):
    """A task with scores that depend on the rest of the population, such as novelty."""

    @property
    def relative(self) -> tuple[int, ...]:
        """The columns of the scores for which this is so."""
        ...

    def compare(self, population: Population, evaluation: Evaluation) -> Floats:
        """Return the scores of individuals that were evaluated at different times, now among each other."""
        ...


@runtime_checkable
class Separable(Protocol):
    """A task that may score each individual by itself, but needs all its data for that."""

    @property
    def scores_separately(self) -> bool:
        """Whether this is so; then parts of a population can be evaluated in different places."""
        ...


@runtime_checkable
class Redrawn(Protocol):
    """A task that may be drawn again for every generation, such as the episodes that policies play.

    Scores of different generations are then not comparable, and the elite is evaluated again with the children.
    """

    @property
    def redraws(self) -> bool:
        """Whether scores depend on the generation's seed."""
        ...
