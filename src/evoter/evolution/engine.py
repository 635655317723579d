"""The engine: populations bred, evaluated and replaced, generation by generation."""

import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evoter.evolution.checkpoint import Checkpoint, CheckpointError, CheckpointWriter, load_checkpoint
from evoter.evolution.executor import ExactMoves, Executor, ThreadExecutor
from evoter.evolution.fronts.extraction import extract_front
from evoter.evolution.fronts.front import Front
from evoter.evolution.history import History, Record
from evoter.evolution.mechanisms.age_layers import LayeredSurvival, Samples
from evoter.evolution.mechanisms.constraints import constraints_of
from evoter.evolution.mechanisms.curriculum import Curriculum
from evoter.evolution.mechanisms.novelty import NoveltySelection
from evoter.evolution.mechanisms.oversampling import pick_distinct
from evoter.evolution.mechanisms.replacement import Elitism, Ranking, Replacement, replacement_for
from evoter.evolution.mechanisms.sample_rounds import SampleRounds
from evoter.evolution.move_times import seconds_per_move
from evoter.evolution.problem import (
    Behaving,
    Capability,
    Evaluation,
    Problem,
    Redrawn,
    Refinable,
    Reweighted,
    Sampled,
    SelfRefining,
)
from evoter.evolution.settings import DEFAULT, Settings
from evoter.evolution.stopping import Status, Stopping
from evoter.evolution.validity import check_evaluation, check_reference, check_saved, checked_seed
from evoter.evolution.warm_start import read_warm_start
from evoter.genome.arrays import compact, empty_antecedents, empty_offspring, empty_population, join, pick
from evoter.genome.codec import decode, write_offspring
from evoter.kernels.layout import Floats, Ints, Offspring, Population, Refinement
from evoter.kernels.pool import N_CLOCK, NEXT_SERIAL, resolve
from evoter.kernels.threads import Threads
from evoter.kernels.variation.breed import breed, create
from evoter.kernels.variation.equivalence import drop_equivalent_rules
from evoter.rules.model import RuleSet


class Finalist(NamedTuple):
    """A rule set of the last generation as it evolved, and on how many rows each rule held, and decided."""

    ruleset: RuleSet
    times_applied: tuple[int, ...]
    times_decided: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The best rule set of a run as it evolved, its score and counts, and how the run went.

    `reason` says why the run ended: "finished", "interrupted" (Ctrl-C) or "stopped" (by a watcher). With several
    objectives, `best` is the best in the first one, and `front` has all that no other one beats, pruned and simplified.
    `finalists` are rule sets nearly as good as the best, itself first, where they were asked for.
    """

    best: RuleSet
    score: float
    times_applied: tuple[int, ...]
    times_decided: tuple[int, ...]
    default_applied: int
    history: History
    reason: str
    front: Front | None = None
    finalists: tuple[Finalist, ...] = ()


CROWDED = 16
"""The number of conditions above which fewer children are refined, by more exact moves at a lower temperature."""

MOST_CROWDING = 4.0
"""How many times as many moves a refined child takes at most."""

N_BLOCKS = 10
"""Into how many parts the first generation is divided where time is limited."""

_SEEDS_AT_ONCE = 16

Watcher = Callable[["Evolution", float], bool | None]
"""Called after every generation with the engine and the progress; returning True ends the run."""


class Evolution:
    """A genetic algorithm over rule sets, deterministic in its seed for any number of threads and on any executor.

    One objective is improved beside parsimony; several are traded off by NSGA-II, whose progress is the hypervolume.
    `run` does it all; `step` does one generation; `ask` and `tell` leave the evaluation to the caller.
    """

    def __init__(
        self,
        problem: Problem,
        settings: Settings = DEFAULT,
        *,
        seed: int = 0,
        threads: Threads | None = None,
        executor: Executor | None = None,
        warm_start: Sequence[RuleSet] = (),
    ) -> None:
        if settings.n_islands > 1:
            raise ValueError(
                "Evolution has one population; for n_islands above 1, use start of evoter.evolution.islands instead"
            )
        self.problem = problem
        self.settings = settings
        self.seed = checked_seed(seed)
        self.executor: Executor = executor or ThreadExecutor(threads)
        self.history = History()
        self.generation = -1
        self.seconds = 0.0
        self._evaluations = 0
        self._stagnant = 0
        within = replacement_for(problem, settings)
        self._replacement: Replacement = within
        self._samples = None
        if settings.n_age_layers > 1 and isinstance(problem, Sampled):
            self._samples = Samples(problem, settings.n_age_layers)
            self._replacement = LayeredSurvival(within, self._samples, settings)
        self._reference: Floats = np.empty(0)
        self._ranking = Ranking(0, np.empty(0, np.int64), (-np.inf, -np.inf))
        self._asked: float | None = None
        self._deadline: float | None = None
        self._step_seconds = 0.0
        self._refining_seconds = 0.0
        self._move_seconds = 0.0
        self._redrawn = problem if isinstance(problem, Redrawn) else None
        self._warm_start = read_warm_start(warm_start, problem, settings)
        grammar = problem.grammar(settings)
        self._curriculum = Curriculum(grammar, settings)
        self._stage = 0
        self._rates = settings.rates()
        self._grammar = grammar
        self._moves: tuple[Refinement | None] | None = None
        self._refiner: SelfRefining | None = None
        if isinstance(problem, SelfRefining) and Capability.REFINEMENT in problem.capabilities:
            self._refiner = problem
        self._novelty = NoveltySelection(problem, settings) if isinstance(problem, Behaving) else None
        self._rounds = None
        if settings.sample_rounds > 1 and isinstance(problem, Sampled):
            self._rounds = SampleRounds(problem, settings.sample_rounds)
        size, room = settings.population_size, settings.population_size * (1 + settings.oversampling)
        pool = empty_antecedents(room * settings.max_rules, settings.max_conditions)
        self._offspring = empty_offspring(size * settings.oversampling, settings.max_rules, settings.max_conditions)
        self._table = np.zeros(1 << (2 * room * settings.max_rules - 1).bit_length(), np.int64)
        self._clock = np.zeros(N_CLOCK, np.int64)
        self._clock[NEXT_SERIAL] = 1
        self.population = empty_population(0, settings.max_rules, pool)
        self.evaluation = Evaluation(
            np.empty((0, len(problem.objectives) + len(constraints_of(problem, settings)))),
            np.empty((0, settings.max_rules), np.int64),
            np.empty((0, settings.max_rules), np.int64),
            np.empty(0, np.int64),
        )

    @property
    def threads(self) -> Threads:
        """The threads that breed."""
        return self.executor.threads

    def ask(self) -> Population:
        """Return the individuals to evaluate next: at first the whole population, later the children.

        Asking again without telling gives the same individuals.
        """
        self._asked = time.perf_counter()
        n_children = self.settings.population_size if self.generation < 0 else self._replacement.n_children
        n_refined = 0
        due = self.generation >= 0 and self.generation % self.settings.refinement_interval == 0
        refinement = self._prepare_moves() if due else None
        if due and (refinement is not None or self._refiner is not None):
            n_refined = min(self.settings.n_refined, n_children // 2)
            if refinement is not None and n_refined > 0:
                n_refined = max(1, int(n_refined / self._crowding))
        n_bred = (n_children - n_refined) * self.settings.oversampling
        offspring = self._offspring._replace(header=self._offspring.header[: n_bred + n_refined])
        ranks, grammar = self._parent_ranks(), self._curriculum.stages[self._stage]
        # Where time may be too short to refine all, those that are not refined must have been bred.
        n_drawn = n_bred if self._deadline is None else n_bred + n_refined
        work, origin = float(n_drawn) * 1_000, (grammar, self._rates, offspring)
        if self.generation < 0:
            self.threads.run(create, n_drawn, work, self.seed, *origin)
        else:
            parents = (self.population, ranks, self.evaluation.times_applied)
            self.threads.run(breed, n_drawn, work, self.seed, self.generation + 1, *parents, *origin)
        if refinement is not None and n_refined > 0:
            self._refine(offspring, refinement, ranks, n_bred, n_refined)
        elif self._refiner is not None and n_refined > 0:
            seed = evaluation_seed(self.seed, self.generation + 1)
            prices = self._replacement.prices(self.settings.parsimony, n_refined, self.seed, self.generation)
            drawn = self._drawn_parents(ranks, n_refined, seed)
            refined = self._refiner.refined(drawn, self.settings, prices, seed)
            offspring = write_offspring(refined, self.problem.schema, offspring, n_bred)
        if self.generation < 0 and self._warm_start:
            offspring = write_offspring(self._warm_start, self.problem.schema, offspring)
        children = empty_population(n_bred + n_refined, self.settings.max_rules, self.population.antecedents)
        resolve(self.population, offspring, children, self._table, self._clock)
        if self.settings.prune_equivalent_rules:
            self.threads.run(drop_equivalent_rules, children.size, float(children.complexity.sum()), grammar, children)
        if self.settings.oversampling == 1:
            return children
        refined_first = pick(children, np.roll(np.arange(children.size), n_refined))
        return pick_distinct(refined_first, self._survivors(), n_children)

    @property
    def _crowding(self) -> float:
        """How many times as many exact moves the best rule set needs as one of few conditions.

        Each condition must have its turn, and what all of them lose together by chance grows with their number.
        """
        return min(max(int(self.population.complexity[self._ranking.best]) / CROWDED, 1.0), MOST_CROWDING)

    def _survivors(self) -> Population:
        """Return the individuals of the present generation that may survive beside their children."""
        return pick(self.population, self._replacement.remaining(self._ranking.ranks))

    def _parent_ranks(self) -> Ints:
        ranks = self._ranking.ranks
        if self._novelty is None or self.generation < 0:
            return ranks
        return self._novelty.ranks(ranks, self.population, self.generation, self.threads)

    def _drawn_parents(self, ranks: Ints, n: int, seed: int) -> list[RuleSet]:
        """Return the winners of some tournaments."""
        drawn = np.random.default_rng(seed).integers(self.population.size, size=(n, self.settings.tournament_size))
        winners = drawn[np.arange(n), np.argmin(ranks[drawn], axis=1)]
        return [decode(self.population, int(i), self.problem.schema, self.problem.mode) for i in winners]

    def _prepare_moves(self) -> Refinement | None:
        """Return what exact moves need, None where there are none; it is made once, after the first generation.

        Pairs of features are screened for it, which takes a while, and the first generation does not need them.
        """
        if self._moves is None:
            problem, prepared = self.problem, None
            if self.settings.n_refined > 0 and isinstance(problem, Refinable):
                prepared = problem.refinement(self._grammar, self.settings)
            self._moves = (prepared,)
        return self._moves[0]

    def _refine(self, offspring: Offspring, refinement: Refinement, ranks: Ints, first: int, n: int) -> None:
        """Make `n` children, from number `first` on, by exact moves: the more and the colder, the larger rules are."""
        if isinstance(self.problem, Reweighted):
            refinement = self.problem.reweighted(refinement, self.seed, self.generation)
        refinement = refinement._replace(
            n_moves=round(refinement.n_moves * self._crowding), temperature=refinement.temperature / self._crowding
        )
        prices = self._replacement.prices(refinement.price, n, self.seed, self.generation)
        parents = (self.population, ranks, self.settings.tournament_size, self._curriculum.stages[self._stage])
        moves = ExactMoves(self.seed, self.generation + 1, *parents, refinement, offspring, first, prices)
        if self._deadline is None:
            self.executor.refine(moves)
            return
        begin = time.perf_counter()
        if self._move_seconds == 0.0:
            self._move_seconds = seconds_per_move(moves, self._deadline - begin)
        for done in range(0, n, self.executor.n_parallel):
            if not self._has_time(self._move_seconds * refinement.n_moves):
                break
            here, some = time.perf_counter(), prices[done : done + self.executor.n_parallel]
            self.executor.refine(moves._replace(first_child=first + done, prices=some))
            self._move_seconds = (time.perf_counter() - here) / refinement.n_moves
        self._refining_seconds = time.perf_counter() - begin

    def _has_time(self, seconds: float) -> bool:
        """Tell whether so many seconds, or a little more than that, are left."""
        return self._deadline is None or time.perf_counter() + seconds < self._deadline

    def tell(self, children: Population, evaluation: Evaluation) -> None:
        """Add the evaluated children: the elite survives beside them, or NSGA-II selects the survivors among all.

        With age layers, those that may survive see another sample of the data first.
        """
        if self._asked is None:
            raise RuntimeError("tell takes the individuals that ask returned: call ask before each tell")
        check_evaluation(evaluation, children, self.evaluation.scores.shape[1])
        evaluations = self._evaluations + children.size
        evaluation = evaluation._replace(scores=self._replacement.clean(evaluation.scores))
        reference = self._reference
        if self.generation < 0:
            reference = self._replacement.reference(evaluation)
        else:
            parents = (self.population, self._older(), self._ranking.ranks)
            children, evaluation = self._replacement.survivors(*parents, children, evaluation)
        ranking = self._replacement.rank(children, evaluation, reference)
        stagnant = 0 if self.generation < 0 or ranking.merit > self._ranking.merit else self._stagnant + 1
        stage = self._curriculum.advance(self._stage, self.generation + 1, stagnant)
        if stage > self._stage:
            stagnant = 0  # it is a new search
        seconds = self.seconds + time.perf_counter() - self._asked
        best = ranking.best
        self.history.append(
            Record(
                generation=self.generation + 1,
                best=float(evaluation.scores[best, 0]),
                mean=_finite_mean(evaluation.scores[:, 0]),
                n_conditions=int(children.complexity[best]),
                n_rules=int(children.n_rules[best]),
                evaluations=evaluations,
                seconds=seconds,
                hypervolume=ranking.hypervolume,
                front_size=ranking.front_size,
            )
        )
        # Ctrl-C is noticed at calls and loops only: without one here, it finds either the old generation or the new.
        self.population, self.evaluation = children, evaluation
        self._ranking, self._reference = ranking, reference
        self._stage, self._stagnant, self._evaluations, self.seconds = stage, stagnant, evaluations, seconds
        self.generation += 1
        self._asked = None

    def _older(self) -> Evaluation:
        """Return the evaluation of the present generation; with age layers, of the same individuals a sample later."""
        if self._samples is None:
            return self.evaluation
        kept = self._replacement.remaining(self._ranking.ranks)
        seed = evaluation_seed(self.seed, self.generation + 1)
        theirs = self.evaluation.of(kept)
        older = self._samples.grow_older(pick(self.population, kept), theirs, self.executor, seed)
        return self.evaluation.with_rows(kept, older)

    def step(self) -> None:
        """Go on by one generation."""
        begin, self._refining_seconds = time.perf_counter(), 0.0
        children = self.ask()
        if self.generation >= 0 and self._redrawn is not None and self._redrawn.redraws:
            self.tell(children, self._evaluate_with_parents(children))
        elif self.generation < 0 and self._deadline is not None and len(self.problem.objectives) == 1:
            self.tell(children, self._evaluate_in_time(children))
        else:
            self.tell(children, self.evaluate(children))
        self._step_seconds = time.perf_counter() - begin - self._refining_seconds

    def evaluate(self, children: Population) -> Evaluation:
        """Evaluate what `ask` returned: by the problem, or on samples if the settings say so."""
        seed = evaluation_seed(self.seed, self.generation + 1)
        if self._samples is not None:
            return self._samples.begin(children, self.executor, seed)
        if self._rounds is not None:
            return self._rounds.evaluate(children, self.executor, seed, self._replacement.order)
        return self.executor.evaluate(self.problem, children, seed)

    def _evaluate_in_time(self, children: Population) -> Evaluation:
        """Evaluate as many of the first individuals as there is time for, at least some; the others get no score."""
        size = -(-children.size // N_BLOCKS)
        parts: list[Evaluation] = []
        longest = 0.0
        for first in range(0, children.size, size):
            if parts and not self._has_time(longest):
                break
            begin = time.perf_counter()
            parts.append(self.evaluate(pick(children, np.arange(first, min(first + size, children.size)))))
            longest = max(longest, time.perf_counter() - begin)
        n_left = children.size - sum(len(part.scores) for part in parts)
        if n_left > 0:
            parts.append(Evaluation(*(np.zeros((n_left, *part.shape[1:]), part.dtype) for part in parts[0])))
            parts[-1].scores[:] = np.nan
        return Evaluation(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))

    def _evaluate_with_parents(self, children: Population) -> Evaluation:
        """Evaluate the children, and again the parents that may survive beside them."""
        kept = self._replacement.remaining(self._ranking.ranks)
        everyone = self.evaluate(join(self._survivors(), children))
        again, new = zip(*(np.split(part, [len(kept)]) for part in everyone), strict=True)
        self.evaluation = self.evaluation.with_rows(kept, Evaluation(*again))
        return Evaluation(*new)

    @property
    def status(self) -> Status:
        """How far the run has come; with several objectives, the score is the hypervolume."""
        self._check_begun()
        first, last = self.history.first, self.history.last
        scores = (last.best, first.best) if len(self.problem.objectives) == 1 else (last.hypervolume, first.hypervolume)
        return Status(self.generation, self.seconds, *scores, self._stagnant)

    def run(
        self,
        until: Stopping,
        watch: Iterable[Watcher] = (),
        *,
        checkpoint: Path | None = None,
        checkpoint_seconds: float = 10.0,
        deadline: float | None = None,
    ) -> Result:
        """Evolve until a criterion is met, a watcher returns True or Ctrl-C is pressed; return the best so far.

        With `deadline`, a moment of `time.perf_counter`, no generation is begun that would probably not end by then;
        the first one evaluates, and any later one refines, only as many individuals as there is time for.

        With `checkpoint`, the state is written there every `checkpoint_seconds` and at the end; if the file exists
        already and is further than this run, the run continues from it.
        """
        self._deadline = deadline
        if deadline is not None:
            self._prepare_moves()  # before the first generation, which does as much as time is left for
        if checkpoint is None:
            return self._run(until, tuple(watch), None)
        writer = CheckpointWriter(checkpoint, checkpoint_seconds)
        with writer.reserved():
            self._resume(checkpoint)
            return self._run(until, tuple(watch), writer)

    def _run(self, until: Stopping, watchers: tuple[Watcher, ...], writer: CheckpointWriter | None) -> Result:
        reason = "finished"
        try:
            while self.generation < 0 or (until.progress(self.status) < 1.0 and self._has_time(self._step_seconds)):
                self.step()
                progress = until.progress(self.status)
                if writer is not None and (writer.is_due or progress >= 1.0):
                    writer.save(self.state())
                # A list, so that every watcher is called.
                if any([watcher(self, progress) for watcher in watchers]):  # noqa: C419
                    reason = "stopped"
                    break
        except KeyboardInterrupt:
            if self.generation < 0:
                raise
            self.history.cut(self.generation + 1)
            reason = "interrupted"
        if writer is not None and reason != "finished":
            writer.save(self.state())
        return self.result(reason)

    def _resume(self, path: Path) -> None:
        if not path.exists():
            return
        checkpoint = load_checkpoint(path)
        try:
            self._check(checkpoint)
        except CheckpointError as error:
            raise CheckpointError(f"{path}: {error}") from None
        if checkpoint.generation > self.generation:
            self.restore(checkpoint)

    def result(self, reason: str = "finished") -> Result:
        """Return the best rule set so far."""
        self._check_begun()
        seed = evaluation_seed(self.seed, self.generation)
        evaluation, ranking = self.evaluation, self._ranking
        if self._samples is not None:
            evaluation = self._samples.finish(self.population, evaluation, self.executor, seed)
            ranking = self._replacement.rank(self.population, evaluation, self._reference)
        best = ranking.best
        front = None
        if len(self.problem.objectives) > 1:
            constraints = constraints_of(self.problem, self.settings)
            front = extract_front(self.population, evaluation, self.problem, constraints, self.executor, seed)
        winner = self._finalist(best, evaluation)
        return Result(
            best=winner.ruleset,
            score=float(evaluation.scores[best, 0]),
            times_applied=winner.times_applied,
            times_decided=winner.times_decided,
            default_applied=int(evaluation.default_applied[best]),
            history=History(self.history.records),
            reason=reason,
            front=front,
        )

    def finalists(self, distance: float, most: int) -> tuple[Finalist, ...]:
        """Return the distinct rule sets of the population that are nearly as good as the best, the best first.

        With one objective only: their score, less parsimony, is at most `distance` worse than that of the best.
        There are at most `most` of them.
        """
        self._check_begun()
        if len(self.problem.objectives) > 1 or not isinstance(self._replacement, Elitism | LayeredSurvival):
            raise ValueError("finalists are for one objective; with several, the result has a front")
        found: dict[RuleSet, Finalist] = {}
        for i in self._replacement.near_best(self.population, self.evaluation, distance).tolist():
            finalist = self._finalist(i, self.evaluation)
            found.setdefault(finalist.ruleset, finalist)
            if len(found) == most:
                break
        return tuple(found.values())

    def _finalist(self, i: int, evaluation: Evaluation) -> Finalist:
        n = int(self.population.n_rules[i])
        return Finalist(
            decode(self.population, i, self.problem.schema, self.problem.mode),
            tuple(evaluation.times_applied[i, :n].tolist()),
            tuple(evaluation.times_decided[i, :n].tolist()),
        )

    def leaders(self, n: int) -> list[RuleSet]:
        """Return the best `n` rule sets of the population, the best first."""
        self._check_begun()
        order = np.argsort(self._ranking.ranks, kind="stable")
        return [decode(self.population, int(i), self.problem.schema, self.problem.mode) for i in order[:n]]

    def state(self) -> Checkpoint:
        """Return all that a run needs to continue as if it had not been interrupted."""
        self._check_begun()
        return Checkpoint(
            settings=self.settings.as_dict(),
            fingerprint=self._fingerprint,
            seed=self.seed,
            generation=self.generation,
            seconds=self.seconds,
            evaluations=self._evaluations,
            stagnant=self._stagnant,
            stage=self._stage,
            reference=self._reference,
            population=compact(self.population),
            evaluation=self.evaluation,
            history=History(self.history.records),
        )

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go back to a saved state of the same problem, settings and seed; refuse any other."""
        self._check(checkpoint)
        self._continue_from(checkpoint)

    def _continue_from(self, checkpoint: Checkpoint) -> None:
        saved = checkpoint.population
        # A pool of its own, so that masks cached for the present one are not taken for those of the restored one.
        pool = empty_antecedents(len(self.population.antecedents.facts), self.settings.max_conditions)
        for array, kept in zip(pool, saved.antecedents, strict=True):
            array[: len(kept)] = kept
        self._clock[NEXT_SERIAL] = len(saved.antecedents.facts) + 1
        self.population = Population(pool, *saved[1:])
        self.evaluation = checkpoint.evaluation
        self._reference = checkpoint.reference
        self._ranking = self._replacement.rank(self.population, self.evaluation, self._reference)
        self.generation = checkpoint.generation
        self.seconds = checkpoint.seconds
        self.history = History(checkpoint.history.records)
        self._evaluations = checkpoint.evaluations
        self._stagnant = checkpoint.stagnant
        self._stage = min(checkpoint.stage, len(self._curriculum.stages) - 1)
        self._asked = None

    def _check_begun(self) -> None:
        if self.generation < 0:
            raise RuntimeError("no generation has been evaluated yet: call run, step, or ask and tell first")

    def _check(self, checkpoint: Checkpoint) -> None:
        checkpoint.check(self.settings.as_dict(), self._fingerprint, self.seed)
        check_saved(checkpoint.population, checkpoint.evaluation, self.problem, self.settings)
        check_reference(checkpoint.reference, self.problem)

    @cached_property
    def _fingerprint(self) -> str:
        digest = hashlib.sha256(self.problem.fingerprint().encode())
        for ruleset in self._warm_start:
            digest.update(str(ruleset).encode())
        return digest.hexdigest()


def evaluation_seed(seed: int, generation: int) -> int:
    """Return the seed of a generation's evaluation, which other generations and other seeds do not share."""
    return _evaluation_seeds(seed, generation // _SEEDS_AT_ONCE)[generation % _SEEDS_AT_ONCE]


@lru_cache(maxsize=4)
def _evaluation_seeds(seed: int, block: int) -> tuple[int, ...]:
    """Return the seeds of some generations at once, which takes less time for each of them."""
    generations = range(block * _SEEDS_AT_ONCE, (block + 1) * _SEEDS_AT_ONCE)
    return tuple(int(np.random.SeedSequence([seed, each]).generate_state(1)[0]) for each in generations)


def _finite_mean(scores: Floats) -> float:
    finite = scores[np.isfinite(scores)]
    return float(finite.mean()) if len(finite) else float("nan")
