"""The engine: populations bred, evaluated and replaced, generation by generation."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from evoter.evolution.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from evoter.evolution.history import History, Record
from evoter.evolution.problem import Evaluation, Problem
from evoter.evolution.settings import DEFAULT, Settings
from evoter.evolution.stopping import Status, Stopping
from evoter.genome.arrays import compact, empty_antecedents, empty_offspring, empty_population, join, pick
from evoter.genome.codec import decode, write_offspring
from evoter.kernels.breed import breed
from evoter.kernels.layout import Floats, Ints, Population
from evoter.kernels.pool import N_CLOCK, NEXT_SERIAL, count_conditions, resolve
from evoter.kernels.threads import Threads
from evoter.rules.model import RuleSet


@dataclass(frozen=True, slots=True)
class Result:
    """The best rule set of a run as it evolved, its score and counts, and how the run went.

    `reason` says why the run ended: "finished", "interrupted" (Ctrl-C) or "stopped" (by a watcher).
    """

    best: RuleSet
    score: float
    times_applied: tuple[int, ...]
    times_decided: tuple[int, ...]
    default_applied: int
    history: History
    reason: str


Watcher = Callable[["Evolution", float], bool | None]
"""Called after every generation with the engine and the progress; returning True ends the run."""


class Evolution:
    """A genetic algorithm over rule sets, deterministic in its seed for any number of threads.

    `run` does it all; `step` does one generation; `ask` and `tell` leave the evaluation to the caller.
    """

    def __init__(
        self,
        problem: Problem,
        settings: Settings = DEFAULT,
        *,
        seed: int = 0,
        threads: Threads | None = None,
        warm_start: Sequence[RuleSet] = (),
    ) -> None:
        self.problem = problem
        self.settings = settings
        self.seed = seed
        self.threads = threads or Threads(1)
        self.history = History()
        self.generation = -1
        self.seconds = 0.0
        self._evaluations = 0
        self._stagnant = 0
        self._best_cost = np.inf
        self._sign = 1.0 if problem.objectives[0].maximise else -1.0
        self._warm_start = tuple(warm_start)[: settings.population_size]
        self._grammar = problem.grammar(settings)
        self._rates = settings.rates()
        size = settings.population_size
        pool = empty_antecedents(2 * size * settings.max_rules, settings.max_conditions)
        self._offspring = empty_offspring(size, settings.max_rules, settings.max_conditions)
        self._table = np.zeros(1 << (4 * size * settings.max_rules - 1).bit_length(), np.int64)
        self._clock = np.zeros(N_CLOCK, np.int64)
        self._clock[NEXT_SERIAL] = 1
        self.population = empty_population(0, settings.max_rules, pool)
        self.evaluation = Evaluation(
            np.empty((0, len(problem.objectives))),
            np.empty((0, settings.max_rules), np.int64),
            np.empty((0, settings.max_rules), np.int64),
            np.empty(0, np.int64),
        )
        self._conditions: Ints = np.empty(0, np.int64)
        self._ranks: Ints = np.empty(0, np.int64)
        self._order: Ints = np.empty(0, np.int64)

    def ask(self) -> Population:
        """Return the individuals to evaluate next: at first the whole population, later the children."""
        size = self.settings.population_size
        n_children = size if self.generation < 0 else size - self.settings.n_elites
        offspring = self._offspring._replace(header=self._offspring.header[:n_children])
        work = float(n_children) * 1_000
        self.threads.run(
            breed,
            n_children,
            work,
            self.seed,
            self.generation + 1,
            self.population,
            self._ranks,
            self.evaluation.times_applied,
            self._grammar,
            self._rates,
            offspring,
        )
        if self.generation < 0 and self._warm_start:
            write_offspring(self._warm_start, self.problem.schema, offspring)
        children = empty_population(n_children, self.settings.max_rules, self.population.antecedents)
        resolve(self.population, offspring, children, self._table, self._clock)
        return children

    def tell(self, children: Population, evaluation: Evaluation) -> None:
        """Take the evaluated children in: the elite of the population survives beside them."""
        scores = np.where(np.isnan(evaluation.scores), -self._sign * np.inf, evaluation.scores)
        evaluation = evaluation._replace(scores=scores)
        if self.generation >= 0:
            elite = self._order[: self.settings.n_elites]
            children = join(pick(self.population, elite), children)
            parts = zip(self.evaluation, evaluation, strict=True)
            evaluation = Evaluation(*(np.concatenate([kept[elite], new]) for kept, new in parts))
        best_cost = self._best_cost
        self._install(children, evaluation)
        self._stagnant = 0 if self.generation < 0 or self._best_cost < best_cost else self._stagnant + 1
        self._evaluations += len(scores)
        self.generation += 1

    def _install(self, population: Population, evaluation: Evaluation) -> None:
        """Make an evaluated population the current one and rank it: by score and parsimony, then by size."""
        conditions = np.empty(population.size, np.int64)
        count_conditions(population, conditions)
        cost = self.settings.parsimony * conditions - self._sign * evaluation.scores[:, 0]
        order = np.lexsort((conditions, cost))
        ranks = np.empty(population.size, np.int64)
        ranks[order] = np.arange(population.size)
        self.population, self.evaluation = population, evaluation
        self._conditions, self._order, self._ranks = conditions, order, ranks
        self._best_cost = float(cost[order[0]])

    def step(self) -> None:
        """Go on by one generation."""
        begin = time.perf_counter()
        children = self.ask()
        self.tell(children, self.problem.evaluate(children, self.threads, self.seed + self.generation + 1))
        self.seconds += time.perf_counter() - begin
        best = self._order[0]
        self.history.append(
            Record(
                generation=self.generation,
                best=float(self.evaluation.scores[best, 0]),
                mean=_finite_mean(self.evaluation.scores[:, 0]),
                n_conditions=int(self._conditions[best]),
                n_rules=int(self.population.n_rules[best]),
                evaluations=self._evaluations,
                seconds=self.seconds,
            )
        )

    @property
    def status(self) -> Status:
        """How far the run has come."""
        return Status(self.generation, self.seconds, self.history.last.best, self.history.first.best, self._stagnant)

    def run(
        self,
        until: Stopping,
        watch: Iterable[Watcher] = (),
        *,
        checkpoint: Path | None = None,
        checkpoint_seconds: float = 10.0,
    ) -> Result:
        """Evolve until a criterion is met, a watcher returns True or Ctrl-C is pressed; return the best so far.

        With `checkpoint`, the state is written there every `checkpoint_seconds` and at the end; if the file exists
        already, the run goes on from it.
        """
        watchers = tuple(watch)
        if checkpoint is not None and checkpoint.exists():
            self.restore(load_checkpoint(checkpoint))
        saved = time.monotonic()
        reason = "finished"
        try:
            while self.generation < 0 or until.progress(self.status) < 1.0:
                self.step()
                progress = until.progress(self.status)
                if checkpoint is not None and (time.monotonic() - saved >= checkpoint_seconds or progress >= 1.0):
                    save_checkpoint(self.state(), checkpoint)
                    saved = time.monotonic()
                if any([watcher(self, progress) for watcher in watchers]):
                    reason = "stopped"
                    break
        except KeyboardInterrupt:
            if self.generation < 0:
                raise
            reason = "interrupted"
        if checkpoint is not None and reason != "finished":
            save_checkpoint(self.state(), checkpoint)
        return self.result(reason)

    def result(self, reason: str = "finished") -> Result:
        """Return the best rule set so far."""
        best = int(self._order[0])
        n = int(self.population.n_rules[best])
        return Result(
            best=decode(self.population, best, self.problem.schema, self.problem.mode),
            score=float(self.evaluation.scores[best, 0]),
            times_applied=tuple(self.evaluation.times_applied[best, :n].tolist()),
            times_decided=tuple(self.evaluation.times_decided[best, :n].tolist()),
            default_applied=int(self.evaluation.default_applied[best]),
            history=self.history,
            reason=reason,
        )

    def state(self) -> Checkpoint:
        """Return all that a run needs to go on as if nothing had happened."""
        return Checkpoint(
            settings=self.settings.as_dict(),
            fingerprint=self._fingerprint,
            seed=self.seed,
            generation=self.generation,
            seconds=self.seconds,
            evaluations=self._evaluations,
            stagnant=self._stagnant,
            population=compact(self.population),
            evaluation=self.evaluation,
            history=self.history,
        )

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go back to a saved state of the same problem, settings and seed; refuse any other."""
        checkpoint.check(self.settings.as_dict(), self._fingerprint, self.seed)
        saved = checkpoint.population
        pool = self.population.antecedents
        for array, kept in zip(pool, saved.antecedents, strict=True):
            array[: len(kept)] = kept
            array[len(kept) :] = 0
        self._clock[NEXT_SERIAL] = len(saved.antecedents.facts) + 1
        self._install(Population(pool, *saved[1:]), checkpoint.evaluation)
        self.generation = checkpoint.generation
        self.seconds = checkpoint.seconds
        self.history = checkpoint.history
        self._evaluations = checkpoint.evaluations
        self._stagnant = checkpoint.stagnant

    @cached_property
    def _fingerprint(self) -> str:
        return self.problem.fingerprint()


def _finite_mean(scores: Floats) -> float:
    finite = scores[np.isfinite(scores)]
    return float(finite.mean()) if len(finite) else float("nan")
