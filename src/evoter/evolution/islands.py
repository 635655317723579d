"""Islands: several populations that evolve apart and exchange their best individuals by a fixed schedule.

An island at the end of an epoch is a function of the island at its beginning, so it does not matter where it evolves:
in this process one after the other, in worker processes, or on the machines of a cluster. An epoch has
`migration_interval` generations, the first one only the random generation. Between epochs, criteria and watchers are
asked, checkpoints are written, and individuals migrate.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from evoter.evolution.checkpoint import ISLAND_COUNTS, Checkpoint, CheckpointError
from evoter.evolution.engine import Evolution, Result, Watcher
from evoter.evolution.executor import Executor
from evoter.evolution.history import History, Record
from evoter.evolution.mechanisms.migration import IslandState, joined, migrate
from evoter.evolution.mechanisms.replacement import Ranking
from evoter.evolution.problem import Comparing, Evaluation, Problem
from evoter.evolution.settings import DEFAULT, Settings
from evoter.evolution.stopping import Stopping
from evoter.evolution.validity import check_reference, check_saved
from evoter.genome.arrays import compact, empty_antecedents, empty_population, pick, unite
from evoter.kernels.layout import Floats, Population
from evoter.kernels.pool import NEXT_SERIAL
from evoter.rules.model import RuleSet


class Epoch(NamedTuple):
    """Generations of an island: its number, where it stands (None at the beginning), and how many there are.

    `reference` is the point that hypervolumes of all islands are measured from. With `seconds`, there are fewer
    generations if time runs out, but at least one.
    """

    number: int
    state: IslandState | None
    n_generations: int
    reference: Floats
    seconds: float | None = None


class Breeder:
    """Lets any island of a run evolve; it can be copied to another process, and gives the same result there."""

    def __init__(self, problem: Problem, settings: Settings, seed: int, warm_start: Sequence[RuleSet]) -> None:
        self._problem = problem
        self._settings = settings.replace(n_islands=1)
        self._n_islands = settings.n_islands
        self._seed = seed
        self._warm_start = tuple(warm_start)
        self._island: _Island | None = None

    def advance(self, epoch: Epoch, executor: Executor) -> IslandState:
        """Return an island after some generations."""
        island = self._island
        if island is None:
            island = self._island = _Island(self._problem, self._settings, seed=self._seed, executor=executor)
        island.executor = executor
        # Rule sets to start from are distributed, so that islands begin differently.
        return island.advance(epoch, self._warm_start[epoch.number :: self._n_islands])

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_island": None}


@runtime_checkable
class IslandHost(Protocol):
    """An executor that lets whole islands evolve at the same time, each in another place."""

    @property
    def n_hosted(self) -> int:
        """How many islands evolve at the same time."""
        ...

    def takes_islands(self, problem: Problem) -> bool:
        """Tell whether it does so for a problem, instead of dividing the evaluation of each population."""
        ...

    def advance_islands(self, breeder: Breeder, epochs: Sequence[Epoch]) -> list[IslandState]:
        """Return what `breeder.advance` returns for each epoch, in their order."""
        ...


class _Island(Evolution):
    """One population at a time, of any island of a run."""

    def __init__(self, problem: Problem, settings: Settings, *, seed: int, executor: Executor) -> None:
        super().__init__(problem, settings, seed=seed, executor=executor)
        self._run_seed = seed
        self._nobody = self.evaluation

    def advance(self, epoch: Epoch, warm_start: tuple[RuleSet, ...]) -> IslandState:
        """Evolve from where an island stands."""
        self.seed = int(np.random.SeedSequence([self._run_seed, epoch.number]).generate_state(1)[0])
        self._warm_start = warm_start
        self._stand(epoch.state, epoch.reference)
        self._deadline = None if epoch.seconds is None else time.perf_counter() + epoch.seconds
        merits: list[tuple[float, float]] = []
        while len(merits) < epoch.n_generations and (not merits or self._has_time(self._step_seconds)):
            self.step()
            merits.append(self._ranking.merit)
        counts = (self.generation, self._evaluations, self._stagnant, self._stage)
        return IslandState(counts, compact(self.population), self.evaluation, self.history.records, tuple(merits))

    def _stand(self, state: IslandState | None, reference: Floats) -> None:
        """Become an island as it stood, or one that has not begun."""
        pool = empty_antecedents(len(self.population.antecedents.facts), self.settings.max_conditions)
        self.history, self.seconds, self._reference = History(), 0.0, reference
        if state is None:
            self._clock[NEXT_SERIAL] = 1
            self.population, self.evaluation = empty_population(0, self.settings.max_rules, pool), self._nobody
            self._ranking = Ranking(0, np.empty(0, np.int64), (-np.inf, -np.inf))
            self.generation, self._evaluations, self._stagnant, self._stage = -1, 0, 0, 0
            return
        # Copies, because what comes from another process may not be written to.
        for array, kept in zip(pool, state.population.antecedents, strict=True):
            array[: len(kept)] = kept
        self._clock[NEXT_SERIAL] = len(state.population.antecedents.facts) + 1
        individuals: list[Any] = [np.array(array) for array in state.population[1:]]
        evaluated: list[Any] = [np.array(array) for array in state.evaluation]
        self.population, self.evaluation = Population(pool, *individuals), Evaluation(*evaluated)
        self._ranking = self._replacement.rank(self.population, self.evaluation, reference)
        self.generation, self._evaluations, self._stagnant, self._stage = state.counts

    def evaluate(self, children: Population) -> Evaluation:
        """Evaluate as all islands do: what is drawn for a generation, such as episodes, is the same for all of them."""
        own, self.seed = self.seed, self._run_seed
        try:
            return super().evaluate(children)
        finally:
            self.seed = own


class Islands(Evolution):
    """Several populations of `settings.population_size` individuals; seen from outside, they are one.

    `step` is an epoch. `population`, `leaders` and the result are those of all islands together.
    """

    def __init__(
        self,
        problem: Problem,
        settings: Settings = DEFAULT,
        *,
        seed: int = 0,
        executor: Executor | None = None,
        warm_start: Sequence[RuleSet] = (),
    ) -> None:
        n = settings.n_islands
        self._together = settings.replace(population_size=n * settings.population_size, n_refined=0, n_islands=1)
        super().__init__(problem, self._together, seed=seed, executor=executor, warm_start=warm_start)
        self.settings = settings
        self._breeder = Breeder(problem, settings, self.seed, self._warm_start)
        self._counts = np.zeros((n, len(ISLAND_COUNTS)), np.int64)
        self._until: Stopping | None = None

    def ask(self) -> Population:
        """Refuse: islands are not evaluated from outside."""
        raise RuntimeError("ask and tell are for one population; use step or run where there are islands")

    def run(
        self,
        until: Stopping,
        watch: Iterable[Watcher] = (),
        *,
        checkpoint: Path | None = None,
        checkpoint_seconds: float = 10.0,
        deadline: float | None = None,
    ) -> Result:
        """Evolve as `Evolution.run` does, epoch by epoch; the last epoch may be shorter."""
        self._until = until
        more: dict[str, Any] = {"checkpoint_seconds": checkpoint_seconds, "deadline": deadline}
        return super().run(until, watch, checkpoint=checkpoint, **more)

    def step(self) -> None:
        """Go on by one epoch."""
        begin, n = time.perf_counter(), self._epoch_length()
        ends = self._advance([Epoch(k, state, n, self._reference) for k, state in enumerate(self._starts())])
        self._settle(ends, time.perf_counter() - begin)
        self._step_seconds = (time.perf_counter() - begin) / n

    def _epoch_length(self) -> int:
        """Return the number of generations until individuals migrate next, or until the run must end."""
        if self.generation < 0:
            return 1
        interval = self.settings.migration_interval
        n = interval - self.generation % interval
        if self._until is None:
            return n
        statuses = (replace(self.status, generation=self.generation + k) for k in range(1, n))
        ended = (k for k, status in enumerate(statuses, 1) if self._until.lasting_progress(status) >= 1.0)
        return next(ended, n)

    def _starts(self) -> Sequence[IslandState | None]:
        """Return the islands at the beginning of an epoch, after migration if it is due."""
        n, size = self.settings.n_islands, self.settings.population_size
        if self.generation < 0:
            return [None] * n
        islands = []
        for k in range(n):
            rows = np.arange(k * size, (k + 1) * size)
            counts = tuple(self._counts[k].tolist())
            islands.append(IslandState(counts, compact(pick(self.population, rows)), self.evaluation.of(rows)))
        number, rest = divmod(self.generation, self.settings.migration_interval)
        if rest or number == 0:
            return islands
        return migrate(islands, self._replacement.order, self.settings.n_migrants, number - 1)

    def _advance(self, epochs: Sequence[Epoch]) -> list[IslandState]:
        host = self.executor
        if isinstance(host, IslandHost) and host.takes_islands(self.problem):
            n_turns = -(-len(epochs) // host.n_hosted)
            return host.advance_islands(self._breeder, [self._timed(epoch, n_turns) for epoch in epochs])
        left = range(len(epochs), 0, -1)
        return [
            self._breeder.advance(self._timed(epoch, n), self.executor) for epoch, n in zip(epochs, left, strict=True)
        ]

    def _timed(self, epoch: Epoch, n_turns: int) -> Epoch:
        """Return an epoch that may take its share of the time that is left."""
        if self._deadline is None:
            return epoch
        return epoch._replace(seconds=max(0.0, self._deadline - time.perf_counter()) / n_turns)

    def _settle(self, ends: Sequence[IslandState], seconds: float) -> None:
        """Become what the islands are together after an epoch."""
        population = unite([end.population for end in ends])
        evaluation = joined(*(end.evaluation for end in ends))
        if isinstance(self.problem, Comparing) and self.problem.relative:
            scores = self._replacement.clean(self.problem.compare(population, evaluation))
            evaluation = evaluation._replace(scores=scores)
        reference = self._replacement.reference(evaluation) if self.generation < 0 else self._reference
        ranking = self._replacement.rank(population, evaluation, reference)
        records = self._records(ends, seconds)
        best = ranking.best
        records[-1] = replace(
            records[-1],
            best=float(evaluation.scores[best, 0]),
            n_conditions=int(population.complexity[best]),
            n_rules=int(population.n_rules[best]),
            hypervolume=ranking.hypervolume,
            front_size=ranking.front_size,
        )
        stagnant = self._stagnation(ends, ranking)
        history = History([*self.history.records, *records])
        counts = np.array([end.counts for end in ends], np.int64)
        generation = history.n_generations - 1
        # As in `tell`: without a call here, Ctrl-C finds either the old epoch or the new.
        self.population, self.evaluation, self.history = population, evaluation, history
        self._ranking, self._reference, self._stagnant, self._counts = ranking, reference, stagnant, counts
        self._evaluations, self.seconds, self.generation = records[-1].evaluations, records[-1].seconds, generation

    def _records(self, ends: Sequence[IslandState], seconds: float) -> list[Record]:
        """Return a record for each generation of an epoch: that of the best island, with the work of all."""
        n = max(len(end.records) for end in ends)
        records = []
        for k in range(n):
            there = [end for end in ends if len(end.records) > k]
            best = max(there, key=lambda end: end.merits[k]).records[k]
            means = [end.records[k].mean for end in there]
            record = replace(
                best,
                generation=self.generation + 1 + k,
                mean=float(np.mean(means)),
                evaluations=sum(end.records[min(k, len(end.records) - 1)].evaluations for end in ends),
                seconds=self.seconds + seconds * (k + 1) / n,
            )
            records.append(record)
        return records

    def _stagnation(self, ends: Sequence[IslandState], ranking: Ranking) -> int:
        """Return the number of generations since all islands together were last improved."""
        n, best, stagnant = max(len(end.merits) for end in ends), self._ranking.merit, self._stagnant
        for k in range(n):
            merit = ranking.merit if k == n - 1 else max(end.merits[k] for end in ends if len(end.merits) > k)
            stagnant = 0 if merit > best else stagnant + 1
            best = max(best, merit)
        return stagnant

    def state(self) -> Checkpoint:
        """Return all that a run needs to continue as if it had not been interrupted."""
        return replace(super().state(), islands=self._counts)

    def _continue_from(self, checkpoint: Checkpoint) -> None:
        self.population, self.evaluation, self._reference = (
            checkpoint.population,
            checkpoint.evaluation,
            checkpoint.reference,
        )
        self._ranking = self._replacement.rank(self.population, self.evaluation, self._reference)
        self.history = History(checkpoint.history.records)
        self.generation, self.seconds = checkpoint.generation, checkpoint.seconds
        self._evaluations, self._stagnant, self._counts = (
            checkpoint.evaluations,
            checkpoint.stagnant,
            checkpoint.islands,
        )

    def _check(self, checkpoint: Checkpoint) -> None:
        checkpoint.check(self.settings.as_dict(), self._fingerprint, self.seed)
        check_saved(checkpoint.population, checkpoint.evaluation, self.problem, self._together)
        check_reference(checkpoint.reference, self.problem)
        if len(checkpoint.islands) != self.settings.n_islands:
            raise CheckpointError(f"it has {len(checkpoint.islands)} islands instead of {self.settings.n_islands}")


def start(
    problem: Problem, settings: Settings, *, seed: int, executor: Executor, warm_start: Sequence[RuleSet] = ()
) -> Evolution:
    """Return what runs a search: one population, or islands if the settings ask for them."""
    kind = Islands if settings.n_islands > 1 else Evolution
    return kind(problem, settings, seed=seed, executor=executor, warm_start=warm_start)
