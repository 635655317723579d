"""Hill climbing: one policy is improved by random changes, in the episodes that have been hardest for it."""

from collections.abc import Sequence

import numpy as np

from evoter.evolution.mechanisms.oversampling import pick_distinct
from evoter.evolution.settings import Settings
from evoter.genome.arrays import empty_antecedents, empty_offspring, empty_population, pick
from evoter.genome.codec import decode, write_offspring
from evoter.kernels.layout import Ints, Offspring, Population
from evoter.kernels.pool import N_CLOCK, NEXT_SERIAL, resolve
from evoter.kernels.variation.breed import breed
from evoter.problems.control.problem import CLIMBING, ControlProblem, draw_seeds
from evoter.rules.model import RuleSet

MOST_AT_ONCE = 256
"""Maximum number of changes that are tried side by side; the best of them is where the next ones begin."""

OVERSAMPLING = 2
"""Number of changes drawn for each that is tried, since many are equal."""

N_HARD = 48
"""Number of episodes that changes are tried in: the hardest of all that the policy has played so far."""

ROUNDS = ((6, 0.25), (18, 0.0625), (N_HARD, 0.0))
"""After so many of the episodes, the hardest first, this share of the changes goes on."""

SCOUT_AFTER = 10
"""After so many rounds of changes, new random episodes are played, to find more hard ones."""

N_SCOUTED = 100
N_PROVING = 500
"""The number of these episodes, and how many where the policy has reached the target in all that were hard."""

BEGINS_AFTER = 20
"""Number of generations of a search after which its best policy is improved: until then, others overtake it."""


class HillClimb:
    """Improves a policy over several calls, in each of which `n_changes` are tried; what it does follows from `seed`.

    A change that earns as much as the policy replaces it, too: among rules that do the same, some are one change away
    from better ones. The episodes stay until harder ones are found, so that small differences tell.
    """

    def __init__(self, problem: ControlProblem, settings: Settings, seed: int, n_changes: int) -> None:
        self._problem = problem
        self._settings = settings.replace(crossover_rate=0.0, mutation_rate=1.0, tournament_size=1)
        self._grammar = problem.grammar(settings)
        self._seed, *seeds = draw_seeds(seed, CLIMBING, 5).tolist()
        self._rng = np.random.default_rng(seeds)
        self._n_rounds = -(-n_changes // MOST_AT_ONCE)
        self._size = -(-n_changes // self._n_rounds)
        room = (1 + OVERSAMPLING) * self._size + 1
        self._pool = empty_antecedents(room * settings.max_rules, settings.max_conditions)
        self._offspring = empty_offspring(OVERSAMPLING * self._size, settings.max_rules, settings.max_conditions)
        self._table = np.zeros(1 << (2 * room * settings.max_rules - 1).bit_length(), np.int64)
        self._clock = np.zeros(N_CLOCK, np.int64)
        self._clock[NEXT_SERIAL] = 1
        self._n_bred = 0
        self._policy = empty_population(0, settings.max_rules, self._pool)
        self._applied = np.empty((0, settings.max_rules), np.int64)
        self._episodes = np.empty(0, np.int64)
        self._returns = np.empty(0)
        self.score = -np.inf
        """The mean return of the policy in the random episodes that it has played last."""

    def __call__(self, leaders: Sequence[RuleSet]) -> RuleSet:
        """Begin with the best of some leaders, later go on where the last call ended; return the policy reached."""
        if self._policy.size == 0:
            self._begin(leaders)
        for _ in range(self._n_rounds):
            self._step()
            if self._n_bred % SCOUT_AFTER == 0:
                self._scout()
        return decode(self._policy, 0, self._problem.schema, self._problem.mode)

    def _begin(self, leaders: Sequence[RuleSet]) -> None:
        leaders = leaders[: len(self._offspring.header)]
        written = write_offspring(leaders, self._problem.schema, self._offspring)
        entered = self._resolved(self._policy, written._replace(header=written.header[: len(leaders)]))
        episodes = self._rng.integers(2**32, size=2 * N_SCOUTED)
        returns = self._problem.play_guarded(entered, episodes)[0]
        self._policy = pick(entered, returns.mean(axis=1).argmax(keepdims=True))
        self._scout(episodes)

    def _step(self) -> None:
        """Try changes of the policy, and go on with the best of them unless all are worse."""
        changed = pick_distinct(self._changed(), self._policy, self._size)
        racing, totals = np.arange(changed.size), np.zeros(changed.size)
        hardest_first = np.argsort(self._returns, kind="stable")
        self._episodes, self._returns = self._episodes[hardest_first], self._returns[hardest_first]
        n_played = 0
        for n, share in ROUNDS:
            episodes = self._episodes[n_played:n]
            totals[racing] += self._problem.play_guarded(pick(changed, racing), episodes)[0].sum(axis=1)
            racing = racing[totals[racing] >= self._returns[:n].sum()]
            best_first = racing[np.argsort(-totals[racing], kind="stable")]
            if len(racing) == 0:
                return
            racing = np.sort(best_first[: max(1, int(share * self._size))])
            n_played = n
        self._take(pick(changed, best_first[:1]))

    def _scout(self, scouted: Ints | None = None) -> None:
        """Let the policy play random episodes, and keep the hardest of these and of those before."""
        if scouted is None:
            proves = self._returns.min() >= self._problem.target
            scouted = self._rng.integers(2**32, size=N_PROVING if proves else N_SCOUTED)
        returns = self._problem.play_guarded(self._policy, scouted)[0][0]
        self.score = float(returns.mean())
        hardest = np.argsort(np.concatenate([self._returns, returns]), kind="stable")[:N_HARD]
        self._episodes = np.concatenate([self._episodes, scouted])[hardest]
        self._take(self._policy)

    def _take(self, policy: Population) -> None:
        """Go on with a policy, whose rules that never hold will be left out of what is changed."""
        self._policy = policy
        returns, self._applied = self._problem.play_guarded(policy, self._episodes)
        self._returns = returns[0]

    def _changed(self) -> Population:
        """Return children of the policy, each of which differs from it by a mutation."""
        self._n_bred += 1
        parents = (self._policy, np.zeros(1, np.int64), self._applied)
        origin = (self._grammar, self._settings.rates(), self._offspring)
        breed(0, len(self._offspring.header), self._seed, self._n_bred, *parents, *origin)
        return self._resolved(self._policy, self._offspring)

    def _resolved(self, parents: Population, offspring: Offspring) -> Population:
        """Return offspring as a population over the pool, in which all but the parents may be overwritten."""
        children = empty_population(len(offspring.header), self._settings.max_rules, self._pool)
        resolve(parents, offspring, children, self._table, self._clock)
        return children


class HillClimbs:
    """The hill climbs of a run: one for each search, and in the first generations of the next one, the best of them."""

    def __init__(self) -> None:
        self._present: HillClimb | None = None
        self._best: HillClimb | None = None

    def restart(self, climb: HillClimb) -> None:
        """Begin another climb with the next search."""
        if self._present is not None and (self._best is None or self._present.score > self._best.score):
            self._best = self._present
        self._present = climb

    def __call__(self, leaders: Sequence[RuleSet], generation: int) -> list[RuleSet]:
        """Return what becomes of the leaders of this generation of a search, or of those of an earlier search."""
        climb = self._present if generation >= BEGINS_AFTER else self._best
        return [] if climb is None else [climb(leaders)]
