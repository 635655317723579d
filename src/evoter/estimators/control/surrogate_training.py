"""Training of surrogates: steps of real episodes, first random and then the population's own, and what is learnt."""

from collections.abc import Sequence
from functools import partial

from sklearn.base import clone
from sklearn.linear_model import Ridge

from evoter.environments.surrogate import Predictor, SurrogateEnvironment
from evoter.estimators.control.task import ControlTask
from evoter.evolution.engine import Evolution
from evoter.kernels.layout import Floats, Ints
from evoter.problems.control.experience import joined, record_steps
from evoter.problems.control.exploration import Exploration
from evoter.problems.control.problem import IMAGINATION, ControlProblem, draw_seeds
from evoter.problems.control.surrogate_search import Improve, local_search
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.model import RuleSet

IMAGINED_LENGTH = 3
"""Maximum length of an episode in the surrogate, as a multiple of that in the environment: a policy that lasts longer
there is likelier to last in the environment."""

N_IMAGINED_EPISODES = 20
"""Number of episodes in the surrogate by which a local search there compares changes of a policy."""

N_MOVES = 6
"""Maximum number of changes that it makes."""

STEPS_PER_EPISODE = 10
"""Examples for a surrogate come from episodes of about this length."""


class SurrogateTraining:
    """What a surrogate has learnt from; `problem` is the task as it imagines it now.

    The constants of conditions are taken from `observed` and stay the same when it learns more.
    """

    def __init__(
        self,
        task: ControlTask,
        surrogate: str | Predictor,
        observed: Floats,
        examples: Exploration,
        *,
        n_episodes: int,
        guardrails: Guardrails,
    ) -> None:
        self._task = task
        self._surrogate = surrogate
        self._observed = observed
        self._n_episodes = n_episodes
        self._guardrails = guardrails
        self.examples = examples
        self.problem = self._imagined()

    def learn_from(self, rulesets: Sequence[RuleSet], seeds: Ints, n_examples: int) -> None:
        """Let policies play real episodes, and learn again from all steps so far and the last ones of these."""
        task = self._task
        new = record_steps([*map(self.problem.guarded, rulesets)], task.schema, task.batch, seeds, n_examples)
        self.examples = joined(self.examples, new)
        self.problem = self._imagined()

    def local_search(self, seed: int, max_rules: int) -> Improve:
        """Return a function that improves a policy by small changes in what the surrogate imagines now."""
        episodes = draw_seeds(seed, IMAGINATION, N_IMAGINED_EPISODES)
        return partial(local_search, self.problem, seeds=episodes, n_moves=N_MOVES, max_rules=max_rules)

    def _imagined(self) -> ControlProblem:
        """Return the task as a surrogate imagines it that has learnt from the examples."""
        predictor = Ridge(alpha=1e-4) if self._surrogate == "linear" else clone(self._surrogate)
        task = self._task
        environment = SurrogateEnvironment(predictor, len(task.actions), IMAGINED_LENGTH * task.batch.max_steps)
        environment.learn(*self.examples[:-1])
        # No race: what is imagined costs little.
        return ControlProblem(
            task.schema,
            environment,
            self._observed,
            n_episodes=self._n_episodes,
            race=False,
            name=f"surrogate of {task.name}",
            guardrails=self._guardrails,
        )


class LastGeneration:
    """A watcher that remembers the engine, to ask for its best policies after the run."""

    def __init__(self) -> None:
        self._evolution: Evolution | None = None

    def __call__(self, evolution: Evolution, progress: float) -> bool:
        """Remember the engine; never end the run."""
        self._evolution = evolution
        return False

    def leaders(self, n: int) -> list[RuleSet]:
        """Return the best policies of the last generation."""
        return [] if self._evolution is None else self._evolution.leaders(n)
