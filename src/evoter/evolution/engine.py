"""The engine: populations bred, evaluated and replaced, generation by generation."""

import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.evolution.checkpoint import Checkpoint, check_writable, load_checkpoint, save_checkpoint
from evoter.evolution.history import History, Record
from evoter.evolution.problem import Evaluation, Problem, Redrawn, Refinable
from evoter.evolution.settings import DEFAULT, Settings
from evoter.evolution.stopping import Status, Stopping
from evoter.evolution.validity import check_evaluation, check_saved, checked_seed
from evoter.evolution.warm_start import read_warm_start
from evoter.genome.arrays import compact, empty_antecedents, empty_offspring, empty_population, join, pick
from evoter.genome.codec import decode, write_offspring
from evoter.kernels.breed import breed
from evoter.kernels.layout import Floats, Ints, Offspring, Population
from evoter.kernels.pool import N_CLOCK, NEXT_SERIAL, resolve
from evoter.kernels.refine import refine
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
        self.seed = checked_seed(seed)
        self.threads = threads or Threads(1)
        self.history = History()
        self.generation = -1
        self.seconds = 0.0
        self._evaluations = 0
        self._stagnant = 0
        self._best_cost = np.inf
        self._sign = 1.0 if problem.objectives[0].maximise else -1.0
        self._asked: float | None = None
        self._warm_start = read_warm_start(warm_start, problem, settings)
        self._grammar = problem.grammar(settings)
        self._rates = settings.rates()
        self._refinement = None
        if settings.n_refined > 0 and isinstance(problem, Refinable):
            self._refinement = problem.refinement(self._grammar, settings)
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
        self._ranks: Ints = np.empty(0, np.int64)
        self._order: Ints = np.empty(0, np.int64)

    def ask(self) -> Population:
        """Return the individuals to evaluate next: at first the whole population, later the children.

        Asking again without telling gives the same individuals.
        """
        self._asked = time.perf_counter()
        size = self.settings.population_size
        n_children = size if self.generation < 0 else size - self.settings.n_elites
        offspring = self._offspring._replace(header=self._offspring.header[:n_children])
        n_refined = 0
        due = self.generation >= 0 and self.generation % self.settings.refinement_interval == 0
        if self._refinement is not None and due:
            n_refined = min(self.settings.n_refined, n_children // 2)
        n_bred = n_children - n_refined
        self.threads.run(
            breed,
            n_bred,
            float(n_bred) * 1_000,
            self.seed,
            self.generation + 1,
            self.population,
            self._ranks,
            self.evaluation.times_applied,
            self._grammar,
            self._rates,
            offspring,
        )
        if n_refined > 0:
            self._refine(offspring, n_bred, n_refined)
        if self.generation < 0 and self._warm_start:
            offspring = write_offspring(self._warm_start, self.problem.schema, offspring)
        children = empty_population(n_children, self.settings.max_rules, self.population.antecedents)
        resolve(self.population, offspring, children, self._table, self._clock)
        return children

    def _refine(self, offspring: Offspring, first: int, n: int) -> None:
        """Make `n` children, from number `first` on, by exact moves."""
        self.threads.run(
            refine,
            n,
            np.inf,
            self.seed,
            self.generation + 1,
            self.population,
            self._ranks,
            self.settings.tournament_size,
            self._grammar,
            self._refinement,
            offspring,
            first,
        )

    def tell(self, children: Population, evaluation: Evaluation) -> None:
        """Take the evaluated children in: the elite of the population survives beside them."""
        if self._asked is None:
            raise RuntimeError("tell takes the individuals that ask returned: call ask before each tell")
        check_evaluation(evaluation, children, len(self.problem.objectives))
        scores = np.where(np.isnan(evaluation.scores), -self._sign * np.inf, evaluation.scores)
        evaluation = evaluation._replace(scores=scores)
        if self.generation >= 0:
            elite = self._order[: self.settings.n_elites]
            children = join(pick(self.population, elite), children)
            parts = zip(self.evaluation, evaluation, strict=True)
            evaluation = Evaluation(*(np.concatenate([kept[elite], new]) for kept, new in parts))
        order, ranks, best_cost = self._rank(children, evaluation)
        stagnant = 0 if self.generation < 0 or best_cost < self._best_cost else self._stagnant + 1
        evaluations = self._evaluations + len(scores)
        seconds = self.seconds + time.perf_counter() - self._asked
        best = order[0]
        self.history.append(
            Record(
                generation=self.generation + 1,
                best=float(evaluation.scores[best, 0]),
                mean=_finite_mean(evaluation.scores[:, 0]),
                n_conditions=int(children.complexity[best]),
                n_rules=int(children.n_rules[best]),
                evaluations=evaluations,
                seconds=seconds,
            )
        )
        # Ctrl-C is noticed at calls and loops only: without one here, it finds either the old generation or the new.
        self.population, self.evaluation = children, evaluation
        self._order, self._ranks, self._best_cost = order, ranks, best_cost
        self._stagnant, self._evaluations, self.seconds = stagnant, evaluations, seconds
        self.generation += 1
        self._asked = None

    def _rank(self, population: Population, evaluation: Evaluation) -> tuple[Ints, Ints, float]:
        """Return the order by score and parsimony, then by size, the rank of each individual, and the lowest cost."""
        complexity = population.complexity
        cost = self.settings.parsimony * complexity - self._sign * evaluation.scores[:, 0]
        order = np.lexsort((complexity, cost))
        ranks = np.empty(population.size, np.int64)
        ranks[order] = np.arange(population.size)
        return order, ranks, float(cost[order[0]])

    def step(self) -> None:
        """Go on by one generation."""
        children = self.ask()
        seed = self.seed + self.generation + 1
        if self.generation < 0 or not (isinstance(self.problem, Redrawn) and self.problem.redraws):
            self.tell(children, self.problem.evaluate(children, self.threads, seed))
            return
        elite = self._order[: self.settings.n_elites]
        everyone = self.problem.evaluate(join(pick(self.population, elite), children), self.threads, seed)
        again, new = zip(*(np.split(part, [len(elite)]) for part in everyone), strict=True)
        self.evaluation = Evaluation(*(_replaced(*parts, elite) for parts in zip(self.evaluation, again, strict=True)))
        self.tell(children, Evaluation(*new))

    @property
    def status(self) -> Status:
        """How far the run has come."""
        self._check_begun()
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
        already and is further than this run, the run goes on from it.
        """
        watchers = tuple(watch)
        if checkpoint is not None:
            self._resume(checkpoint)
        saved = time.monotonic()
        reason = "finished"
        try:
            while self.generation < 0 or until.progress(self.status) < 1.0:
                self.step()
                progress = until.progress(self.status)
                if checkpoint is not None and (time.monotonic() - saved >= checkpoint_seconds or progress >= 1.0):
                    save_checkpoint(self.state(), checkpoint)
                    saved = time.monotonic()
                # A list, so that every watcher is called.
                if any([watcher(self, progress) for watcher in watchers]):  # noqa: C419
                    reason = "stopped"
                    break
        except KeyboardInterrupt:
            if self.generation < 0:
                raise
            self.history.cut(self.generation + 1)
            reason = "interrupted"
        if checkpoint is not None and reason != "finished":
            save_checkpoint(self.state(), checkpoint)
        return self.result(reason)

    def _resume(self, path: Path) -> None:
        if not path.exists():
            check_writable(path)
            return
        checkpoint = load_checkpoint(path)
        self._check(checkpoint)
        if checkpoint.generation > self.generation:
            self.restore(checkpoint)

    def result(self, reason: str = "finished") -> Result:
        """Return the best rule set so far."""
        self._check_begun()
        best = int(self._order[0])
        n = int(self.population.n_rules[best])
        return Result(
            best=decode(self.population, best, self.problem.schema, self.problem.mode),
            score=float(self.evaluation.scores[best, 0]),
            times_applied=tuple(self.evaluation.times_applied[best, :n].tolist()),
            times_decided=tuple(self.evaluation.times_decided[best, :n].tolist()),
            default_applied=int(self.evaluation.default_applied[best]),
            history=History(self.history.records),
            reason=reason,
        )

    def leaders(self, n: int) -> list[RuleSet]:
        """Return the best `n` rule sets of the population, the best first."""
        self._check_begun()
        return [decode(self.population, int(i), self.problem.schema, self.problem.mode) for i in self._order[:n]]

    def state(self) -> Checkpoint:
        """Return all that a run needs to go on as if nothing had happened."""
        self._check_begun()
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
            history=History(self.history.records),
        )

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go back to a saved state of the same problem, settings and seed; refuse any other."""
        self._check(checkpoint)
        saved = checkpoint.population
        # A pool of its own, so that nobody takes what was cached for the present one for the restored one's.
        pool = empty_antecedents(len(self.population.antecedents.facts), self.settings.max_conditions)
        for array, kept in zip(pool, saved.antecedents, strict=True):
            array[: len(kept)] = kept
        self._clock[NEXT_SERIAL] = len(saved.antecedents.facts) + 1
        self.population = Population(pool, *saved[1:])
        self.evaluation = checkpoint.evaluation
        self._order, self._ranks, self._best_cost = self._rank(self.population, self.evaluation)
        self.generation = checkpoint.generation
        self.seconds = checkpoint.seconds
        self.history = History(checkpoint.history.records)
        self._evaluations = checkpoint.evaluations
        self._stagnant = checkpoint.stagnant
        self._asked = None

    def _check_begun(self) -> None:
        if self.generation < 0:
            raise RuntimeError("no generation has been evaluated yet: call run, step, or ask and tell first")

    def _check(self, checkpoint: Checkpoint) -> None:
        checkpoint.check(self.settings.as_dict(), self._fingerprint, self.seed)
        check_saved(checkpoint.population, checkpoint.evaluation, self.problem, self.settings)

    @cached_property
    def _fingerprint(self) -> str:
        digest = hashlib.sha256(self.problem.fingerprint().encode())
        for ruleset in self._warm_start:
            digest.update(str(ruleset).encode())
        return digest.hexdigest()


def _replaced(old: NDArray[Any], new: NDArray[Any], rows: Ints) -> NDArray[Any]:
    """Return a copy of an array in which some rows are new."""
    changed = old.copy()
    changed[rows] = new
    return changed


def _finite_mean(scores: Floats) -> float:
    finite = scores[np.isfinite(scores)]
    return float(finite.mean()) if len(finite) else float("nan")
