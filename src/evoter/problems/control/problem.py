"""Control: rule sets that are policies, scored by the returns of the episodes they play."""

import hashlib
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from evoter.environments.batch import BatchEnvironment
from evoter.evolution.executor import Executor, ThreadExecutor
from evoter.evolution.problem import Capability, Evaluation, Objective
from evoter.evolution.settings import Settings
from evoter.genome.arrays import pick
from evoter.genome.codec import encode
from evoter.genome.cuts import cuts_and_levels
from evoter.kernels.layout import Floats, Grammar, Ints, Population, Words
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import SAMPLE_ROWS, Behaviours, sample_behaviours
from evoter.problems.control.guarded_population import PopulationGuard, counts_of_evolved
from evoter.problems.control.hard_episodes import BEFORE_SCOUTING, N_SCOUTS, SCOUTED, insert_hardest
from evoter.problems.control.player import Player, argument_of, rollout_of
from evoter.problems.control.rollout import Rollout
from evoter.problems.grammars import grammar_of
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes import Task, check_mode
from evoter.rules.schema import Schema
from evoter.rules.simplify import simplify

N_LEVELS = 128
"""Number of quantiles of the observations of random policies that constants are taken from."""

GOING_ON = 0.5
"""The share of the candidates that continues after each round of a race."""

LONGEST_FIRST_ROUND = 10
"""Maximum number of episodes in the first round of a race: a quarter of all episodes, or an eighth, and so on."""

STEPS_OF_FIRST_ROUND = 5_000
"""Maximum number of steps in these episodes together: where episodes are long, a single one tells much."""

STEPS_THAT_TELL = 1_000
"""In rounds that are shorter than a quarter of the episodes because episodes may be long, none stops before candidates
have played this many steps on average: where all fail soon, a single episode tells little."""

EXTRA_TIME = (2, 4, 8, 16)
"""Candidates that reach the target in all episodes of a generation play these multiples, to break ties."""

TRAINING, VALIDATION, TEST, EXPLORATION, RESTARTS = range(5)
FIRST_GENERATION, IMAGINATION, EXPERIENCE, PLAY_OFF, SCOUTING, CLIMBING = range(5, 11)
"""What seeds are for, most of them of episodes; each purpose has its own."""

_EPISODES = "each generation has a seed of its own"
"""How training episodes are drawn: part of the fingerprint, so that no run continues one that drew them otherwise."""


def draw_seeds(seed: int, purpose: int, n: int) -> Ints:
    """Draw `n` seeds; other purposes and other values of `seed` have other ones."""
    return np.random.SeedSequence([seed, purpose]).generate_state(n).astype(np.int64)


class ControlProblem:
    """Policies for an environment; the schema's features are its observations and the schema's actions its actions.

    Every generation plays `n_episodes` new episodes, the same for all its candidates. With `race`, all play
    a quarter of them or less, the better half goes on to play twice as many, and so on until the best have played all.
    If several reach the `target` in these, they play on, as long as they do. A part of the episodes of later rounds,
    the `hard_share`, are not drawn at random: they are the hardest of those that the best candidates so far try out.
    `observed` holds observations of random policies, a row each, from which the constants of conditions are taken.
    With an `executor`, individuals play where it says, such as in worker processes, which is faster if an environment
    is slow; otherwise in the threads that a population is evaluated with.
    With `guardrails`, candidates play as they will be used: pinned rules first, the others guarded.
    """

    mode = Mode.FIRST
    redraws = True
    objectives = (Objective("return"),)

    def __init__(
        self,
        schema: Schema,
        environment: BatchEnvironment,
        observed: Floats,
        *,
        n_episodes: int = 10,
        race: bool = True,
        name: str = "",
        executor: Executor | None = None,
        target: float | None = None,
        hard_share: float = 0.0,
        guardrails: Guardrails | None = None,
    ) -> None:
        self.schema = schema
        self.guardrails = guardrails or Guardrails(schema, self.mode)
        changes_rules = self.guardrails.pinned or self.guardrails.forbidden
        self._guard = PopulationGuard(self.guardrails, self.mode) if changes_rules else None
        self.environment = environment
        self.n_episodes = n_episodes
        self.race = race
        self.name = name
        self.target = np.inf if target is None else target
        self.hard_share = hard_share
        self._player = Player(schema, environment)
        self._executor = executor
        self._observed = observed[:: max(1, len(observed) // SAMPLE_ROWS)]
        self._levels = np.quantile(observed, np.linspace(0.0, 1.0, N_LEVELS), axis=0, method="nearest").T

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What this task supports; behaviours are compared on single observations, which have no history."""
        return frozenset({Capability.NOVELTY} if self.schema.max_lag == 0 else ())

    def behaviours(self, population: Population, threads: Threads) -> Words:
        """Return what each policy does in some of the states that random policies observe, as bits."""
        return self._behaviours.planes(population, threads)

    @cached_property
    def _behaviours(self) -> Behaviours:
        return sample_behaviours(self.schema, np.ascontiguousarray(self._observed.T), self.mode)

    def grammar(self, settings: Settings) -> Grammar:
        """Return the grammar, with constants between what random policies observe."""
        return grammar_of(settings, self.schema, self._levels, guardrails=self.guardrails)

    def constants(self, name: str) -> list[float]:
        """Return the constants that conditions on a feature may have."""
        constants: list[float] = cuts_and_levels(self._levels[self.schema.names.index(name)])[0].tolist()
        return constants

    def fingerprint(self) -> str:
        """Return a digest of the environment's name, the schema, the constants and how candidates are tried."""
        digest = hashlib.sha256(np.ascontiguousarray(self._levels).data)
        task = (self.name, self.environment.max_steps, self.n_episodes, self.race, self.target, self.schema)
        digest.update(repr((*task, _EPISODES, self._rounds(), self.hard_share)).encode())
        if self.guardrails:
            digest.update(repr(self.guardrails).encode())
        return digest.hexdigest()

    def evaluate(self, population: Population, threads: Threads, seed: int) -> Evaluation:
        """Score a population by mean returns in the episodes of a generation."""
        if self._guard is None:
            return self._evaluate(population, threads, seed)
        guarded, origins = self._guard.guard(population)
        evaluation = self._evaluate(guarded, threads, seed)
        counts = evaluation.times_applied, evaluation.times_decided
        applied, decided = (counts_of_evolved(each, origins, population.max_rules) for each in counts)
        return evaluation._replace(times_applied=applied, times_decided=decided)

    def _evaluate(self, population: Population, threads: Threads, seed: int) -> Evaluation:
        seeds = draw_seeds(seed, TRAINING, self.n_episodes * max(EXTRA_TIME))
        scores = np.zeros(population.size)
        totals = np.zeros(population.size)
        applied = np.zeros((population.size, population.max_rules), np.int64)
        decided = np.zeros((population.size, population.max_rules + 1), np.int64)
        racing = np.arange(population.size)
        n_played, scouted = 0, self.hard_share == 0.0
        for n in (*self._rounds(), *(self.n_episodes * times for times in EXTRA_TIME)):
            played = self.play(pick(population, racing), seeds[n_played:n], threads, n_counted=1)
            totals[racing] += played.returns.sum(axis=1)
            applied[racing] += played.applied
            decided[racing] += played.decided
            scores[racing] = totals[racing] / n
            # Candidates that stopped after fewer episodes may have been lucky, but rank below all that continued.
            stopped = np.setdiff1d(np.arange(population.size), racing)
            scores[stopped] = np.minimum(scores[stopped], scores[racing].min())
            n_played = n
            if n < self.n_episodes:
                if n < GOING_ON**2 * self.n_episodes and decided[racing].sum() < STEPS_THAT_TELL * len(racing):
                    continue
                best_first = racing[np.argsort(-scores[racing], kind="stable")]
                racing = np.sort(best_first[: int(np.ceil(GOING_ON * len(racing)))])
                if not scouted and n >= BEFORE_SCOUTING * self.n_episodes:
                    scouted = True
                    scouts = pick(population, np.sort(best_first[:N_SCOUTS]))
                    seeds[: self.n_episodes] = self._with_hard(scouts, threads, seed, seeds[: self.n_episodes], n)
                continue
            racing = racing[scores[racing] >= self.target]
            if len(racing) < 2:
                break
        return Evaluation(scores[:, None], applied, decided[:, :-1], decided[:, -1])

    def _with_hard(self, scouts: Population, threads: Threads, seed: int, seeds: Ints, n_played: int) -> Ints:
        """Return the seeds of a generation's episodes with hard ones among those that have not been played yet."""
        tried = draw_seeds(seed, SCOUTING, SCOUTED * self.n_episodes)
        returns = self.play(scouts, tried, threads, n_counted=1).returns
        return insert_hardest(seeds, n_played, self.hard_share, tried, returns)

    def guarded(self, ruleset: RuleSet) -> RuleSet:
        """Return a rule set that keeps the guardrails by itself; as it is if there are none."""
        return ruleset if self._guard is None else self._guard.guard_one(ruleset)[0]

    def simplified(self, ruleset: RuleSet) -> RuleSet:
        """Return a simpler rule set that decides the same, and keeps the guardrails by itself."""
        return self.guardrails.simplified(ruleset) if self.guardrails else simplify(ruleset)

    def _rounds(self) -> list[int]:
        """Return the number of episodes played after each round of a race."""
        if not self.race:
            return [self.n_episodes]
        rounds = sorted({max(1, int(self.n_episodes * part)) for part in (GOING_ON**2, GOING_ON, 1.0)})
        longest = min(LONGEST_FIRST_ROUND, STEPS_OF_FIRST_ROUND // self.environment.max_steps)
        while rounds[0] > max(1, longest):
            rounds.insert(0, int(rounds[0] * GOING_ON))
        return rounds

    def play(
        self, population: Population, seeds: Ints, threads: Threads | None = None, n_counted: int | None = None
    ) -> Rollout:
        """Let every individual play an episode for every seed; see `roll_out`."""
        executor = self._executor or ThreadExecutor(threads)
        return rollout_of(executor.work_on(self._player, population, argument_of(seeds, n_counted)))

    def play_guarded(self, population: Population, seeds: Ints) -> tuple[Floats, Ints]:
        """Let individuals play as they will be used; return their returns, and in how many steps their rules held.

        For one of several individuals, rules after the one that decides need not be counted.
        """
        n_counted = len(seeds) if population.size == 1 else 0
        if self._guard is None:
            played = self.play(population, seeds, n_counted=n_counted)
            return played.returns, played.applied
        guarded, origins = self._guard.guard(population)
        played = self.play(guarded, seeds, n_counted=n_counted)
        return played.returns, counts_of_evolved(played.applied, origins, population.max_rules)

    def try_out(self, rulesets: Sequence[RuleSet], seeds: Ints) -> Rollout:
        """Let some rule sets over the problem's schema play an episode for every seed."""
        for ruleset in rulesets:
            check_mode(ruleset.mode, Task.CONTROL)
        return self.play(encode(rulesets, self.schema), seeds)
