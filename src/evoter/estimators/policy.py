"""EvoterPolicy: a policy for a gymnasium environment that is a short list of rules, found by evolution."""

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from copy import copy
from dataclasses import replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from evoter.environments.batch import Playing
from evoter.environments.surrogate import Predictor
from evoter.estimators.control.rule_policy import RulePolicy
from evoter.estimators.control.surrogate_training import STEPS_PER_EPISODE, LastGeneration, SurrogateTraining
from evoter.estimators.control.task import ControlTask, match_task, read_environment
from evoter.estimators.forms import SERIES_FORMS, Forms
from evoter.estimators.guardrails import Forbiddens, check_kept, guardrails_of
from evoter.estimators.run_parameters import GUARDRAIL_PARAMETERS, RUN_PARAMETERS, share_parameters
from evoter.estimators.search import (
    RandomState,
    checkpoint_path,
    draw_seed,
    load_kernels,
    open_executor,
    parsimony_is_free,
    refuse_unused,
    search,
    settings_of,
    stopping_of,
    warn_if_interrupted,
)
from evoter.evolution.engine import Result, Watcher
from evoter.evolution.executor import Executor
from evoter.evolution.history import History
from evoter.evolution.settings import DEFAULT, Settings
from evoter.evolution.stopping import GENERATIONS
from evoter.execution.starting import Startable
from evoter.kernels.layout import Floats
from evoter.problems.control.experience import record_steps
from evoter.problems.control.exploration import N_EPISODES, Exploration, explore
from evoter.problems.control.first_generation import draw_first_generation, draw_random_generation
from evoter.problems.control.hill_climbing import HillClimb, HillClimbs
from evoter.problems.control.problem import (
    EXPERIENCE,
    EXPLORATION,
    RESTARTS,
    TEST,
    VALIDATION,
    ControlProblem,
    draw_seeds,
)
from evoter.problems.control.validation import PolicyValidator
from evoter.rules.answers.rule_counts import count_rules
from evoter.rules.explain import Explanation
from evoter.rules.files.sources import Rules, read_ruleset
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.reading import Monotones, Pinned
from evoter.rules.model import RuleSet

if TYPE_CHECKING:
    from evoter.estimators.control.task import Environment

CONTROL = DEFAULT.replace(
    sum_rate=0.0,
    set_rate=0.0,
    population_size=100,
    n_elites=5,
    tournament_size=40,
    max_rules=8,
    max_conditions=3,
    max_initial_rules=4,
    max_initial_conditions=1,
    crossover_rate=0.5,
    mutation_rate=1.0,
    mutation_levels=(1.0, 6.0),
    rule_mutations=(1.0, 0.0, 8.0),
    condition_strategies=(8.0, 1.0, 1.0),
    condition_mutations=(6.0, 1.0, 1.0, 1.0),
    oversampling=3,
    comparison_rate=0.5,
    max_power=1,
)
"""Settings for policies: few candidates, since each costs episodes, and none twice; short lists of single conditions to
begin with, whose constants are what changes most."""

N_CONTENDERS = 10
"""Number of the best policies of each generation that are validated in unseen episodes."""

PARSIMONY = 1e-3
"""What a condition costs by default, as a part of what random policies earn."""


@share_parameters(GUARDRAIL_PARAMETERS, RUN_PARAMETERS)
class EvoterPolicy(BaseEstimator):  # type: ignore[misc]
    """A policy that is a short list of IF-THEN rules, found by evolution.

    `EvoterPolicy(env).fit()` is called with an observation and returns an action; `reset` begins a new episode.
    Every generation plays new episodes, the same for all candidates; the policy that is kept is the one that was best
    in episodes which evolution has not seen, without the rules and conditions that earn it nothing there. One that
    reaches the target there must do so in further unseen episodes, and of those that do, the smallest is kept.

    Parameters
    ----------
    env : str, gymnasium.Env or callable
        The id of an environment, an environment that gymnasium can make again, or a function that makes one.
        Observations are a box of numbers. Cart-pole and `evoter/FlappyBird-v0` are compiled, others are
        stepped in Python.
    max_lag : int, default=0
        How many steps rules may look back.
    feature_names, action_names : sequence of str or None, default=None
        Names for what the policy reads and does; None takes those of a known environment, or numbers.
    units : mapping or None, default=None
        The units of some features by name; rules compare only features of equal unit with each other. None takes
        those of a known environment; with `{}`, as in the paper, anything may be compared with anything.
    action_levels : int or None, default=None
        For continuous actions: the number of levels into which each of their dimensions is cut.
    n_episodes : int, default=20
        Episodes that the best of a generation play: all candidates play a quarter of them, at most ten and no
        more than 5,000 steps, the better half twice as many, and so on.
    hard_share : float, default=0.0
        The part of the later episodes of a generation that is chosen because the best candidates fail there, from
        twice as many episodes as a generation has, which eight of them try out. It helps where good policies rarely
        fail, so that random episodes hardly tell them apart, as in Flappy Bird.
    n_changes : int, default=0
        Number of random changes of the best policy that are tried after each generation from the 20th on, up to 256
        side by side, in the episodes that have been hardest for it. It helps where good policies rarely fail, as in
        Flappy Bird. A run that continues from its checkpoint begins again with its best policy, and may find another.
    n_validation : int, default=100
        Unseen episodes in which the best of each generation are validated.
    n_confirmation : int, default=400
        Further unseen episodes in which a policy that has reached the target, and smaller forms of it, must reach it
        again; 0 skips confirmation.
    surrogate : None, "linear" or regressor, default=None
        With it, evolution plays in a model of the environment that has been learnt from `n_examples` steps of random
        episodes, and only the best ten of each generation, and what a local search in the model makes of two of them,
        play real episodes, to be validated. "linear" is a ridge regression; any scikit-learn regressor of several
        outputs will do.
    n_examples : int, default=100
        The steps that a surrogate learns from.
    examples_from : {"actions", "policies"}, default="actions"
        Who takes these steps: random actions, or policies of the random first generation, as in the paper. Either way
        the constants of conditions come from as many steps of random actions.
    retrain_after : int or None, default=None
        After this number of generations, the best policies play in the environment, the surrogate learns again from
        all steps so far and `n_examples` of theirs, and the search continues with the same population, and so on
        (evolutionary surrogate-assisted prescription). None learns once.
    restart_after : int or None, default=None
        After this number of generations without success, restart from a new random population, and so on as long as
        there are generations left: some searches end in a local optimum that others avoid.
    patience : int or None, default=None
        Stop, or restart, after this number of generations without improvement; None never does. Scores of different
        generations come from different episodes, so that a few generations without improvement mean little.
    max_seconds : float or None, default=None
        Stop after about this number of seconds, the last fifth of which is for making the policy small. A run that
        ends by time is not repeatable.
    target_score : float or None, default=None
        Stop when a policy earns this much on average in the unseen episodes, and again in the confirmation. None is the
        perfect score for cart-pole and Flappy Bird, and the return at which gymnasium calls the environment solved
        for others, if it does.
    preset : {"default", "paper"}, default="default"
        Where settings come from: `CONTROL`, or the algorithm of the paper and nothing else. The latter starts from
        random rule sets as they come, every candidate plays all episodes, and there is no local search in a surrogate.
    population_size, n_islands, max_rules, max_conditions : int or None, default=None
        Settings by their names, None for those of the preset; see `evoter.evolution.settings.Settings`.
    parsimony : float or None, default=None
        The return that a condition must bring; None is a thousandth of what random actions earn, in size, and 0 for
        the preset "paper".
    checkpoint : path or None, default=None
        A file for the state of the run, written every ten seconds and at the end. If it exists already, the run
        continues from there. Each restart has a file of its own, with a number appended to the name.
    n_jobs : int or None, default=None
        Processes that play, or threads where whole episodes are compiled; None means 1, -1 all cores. The result does
        not depend on it.

    Attributes
    ----------
    policy_ : RulePolicy
        The policy, which this object calls when it is called itself.
    ruleset_ : RuleSet
        The rules, pruned and simplified, over the features they read.
    evolved_ruleset_ : RuleSet
        The rules as evolution left them.
    schema_ : Schema
        All parts of an observation, and the actions.
    validation_score_ : float
        The mean return of the policy in the unseen episodes; since it was chosen by them, `score` is the fairer figure.
    guardrails_ : Guardrails
        What the rules keep whatever is observed.
    solved_ : bool
        Whether the target was reached, and confirmed.
    history_ : History
        Best and mean score, size, evaluations and seconds for every generation.
    stop_reason_ : str
        "stopped" where the target was reached, else "finished" or "interrupted".

    Examples
    --------
    >>> from evoter import EvoterPolicy
    >>> policy = EvoterPolicy("CartPole-v1", random_state=0).fit()
    >>> policy.score(n_episodes=20)
    500.0
    """

    _parameter_constraints: ClassVar[dict[str, list[Any] | str]] = {
        "env": "no_validation",
        "max_lag": [Interval(Integral, 0, None, closed="left")],
        "feature_names": ["array-like", None],
        "units": [Mapping, None],
        "action_names": ["array-like", None],
        "action_levels": [Interval(Integral, 2, None, closed="left"), None],
        "n_episodes": [Interval(Integral, 1, None, closed="left")],
        "hard_share": [Interval(Real, 0.0, 1.0, closed="both")],
        "n_changes": [Interval(Integral, 0, None, closed="left")],
        "n_validation": [Interval(Integral, 1, None, closed="left")],
        "n_confirmation": [Interval(Integral, 0, None, closed="left")],
        "surrogate": [StrOptions({"linear"}), HasMethods(["fit", "predict"]), None],
        "n_examples": [Interval(Integral, 2, None, closed="left")],
        "examples_from": [StrOptions({"actions", "policies"})],
        "retrain_after": [Interval(Integral, 1, None, closed="left"), None],
        "restart_after": [Interval(Integral, 1, None, closed="left"), None],
    }

    _base_settings: ClassVar[Settings] = CONTROL
    _default_forms: ClassVar[tuple[str, ...]] = SERIES_FORMS

    def __init__(
        self,
        env: "Environment",
        *,
        max_lag: int = 0,
        feature_names: Sequence[str] | None = None,
        units: Mapping[str, str] | None = None,
        action_names: Sequence[str] | None = None,
        action_levels: int | None = None,
        n_episodes: int = 20,
        hard_share: float = 0.0,
        n_changes: int = 0,
        n_validation: int = 100,
        n_confirmation: int = 400,
        surrogate: str | Predictor | None = None,
        n_examples: int = 100,
        examples_from: str = "actions",
        retrain_after: int | None = None,
        preset: str = "default",
        generations: int = GENERATIONS,
        restart_after: int | None = None,
        patience: int | None = None,
        max_seconds: float | None = None,
        target_score: float | None = None,
        population_size: int | None = None,
        n_islands: int | None = None,
        max_rules: int | None = None,
        max_conditions: int | None = None,
        parsimony: float | None = None,
        forms: Forms = None,
        settings: Mapping[str, object] | None = None,
        pinned: Pinned = (),
        forbidden_features: Sequence[str | int] = (),
        forbidden: Forbiddens = (),
        monotone: Monotones | None = None,
        monotone_order: Sequence[Any] | None = None,
        initial_rulesets: Sequence[RuleSet] = (),
        checkpoint: str | os.PathLike[str] | None = None,
        watchers: Sequence[Watcher] = (),
        n_jobs: int | None = None,
        executor: str | Startable = "threads",
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.env = env
        self.max_lag = max_lag
        self.feature_names = feature_names
        self.units = units
        self.action_names = action_names
        self.action_levels = action_levels
        self.n_episodes = n_episodes
        self.hard_share = hard_share
        self.n_changes = n_changes
        self.n_validation = n_validation
        self.n_confirmation = n_confirmation
        self.surrogate = surrogate
        self.n_examples = n_examples
        self.examples_from = examples_from
        self.retrain_after = retrain_after
        self.preset = preset
        self.generations = generations
        self.restart_after = restart_after
        self.patience = patience
        self.max_seconds = max_seconds
        self.target_score = target_score
        self.population_size = population_size
        self.n_islands = n_islands
        self.max_rules = max_rules
        self.max_conditions = max_conditions
        self.parsimony = parsimony
        self.forms = forms
        self.settings = settings
        self.pinned = pinned
        self.forbidden_features = forbidden_features
        self.forbidden = forbidden
        self.monotone = monotone
        self.monotone_order = monotone_order
        self.initial_rulesets = initial_rulesets
        self.checkpoint = checkpoint
        self.watchers = watchers
        self.n_jobs = n_jobs
        self.executor = executor
        self.random_state = random_state
        self.verbose = verbose

    def fit(self) -> Self:
        """Evolve a policy in the environment.

        Ctrl-C ends the search and keeps the best policy so far.
        """
        self._validate_params()
        for name in ("n_examples", "examples_from", "retrain_after"):
            refuse_unused(self, name, used=self.surrogate is not None, needs="a surrogate that learns from examples")
        races = self.preset == "default" and self.surrogate is None
        for name in ("hard_share", "n_changes"):
            refuse_unused(self, name, used=races, needs='a race in the environment (preset="default" and no surrogate)')
        for name in ("restart_after", "checkpoint"):
            if self.retrain_after is not None and getattr(self, name) is not None:
                raise ValueError(f"retrain_after and {name} cannot be combined: leave one of them out")
        load_kernels(ControlProblem.mode, policies=True, verbose=self.verbose)
        start = time.monotonic()
        task = self._read()
        with closing(open_executor(self, in_processes=not isinstance(task.batch, Playing))) as executor:
            return self._fit(task, executor, start)

    def _fit(self, task: ControlTask, executor: Executor, start: float) -> Self:
        """Evolve a policy for a task, given when that was begun."""
        rails = self._guardrails(task)
        target = task.target if self.target_score is None else self.target_score
        has_effect = target is not None or self.n_confirmation == 0
        refuse_unused(self, "n_confirmation", used=has_effect, needs="a target_score, of which this task has none")
        # All random streams of the run follow from one seed: a run that continues from its checkpoint has the same.
        seed = draw_seed(self)
        explored = explore(task.batch, len(task.actions), draw_seeds(seed, EXPLORATION, self._n_explored()))
        settings = settings_of(self)
        if parsimony_is_free(self):
            settings = settings.replace(parsimony=PARSIMONY * float(np.abs(explored.returns).mean()))
        if self.surrogate is not None:
            explored = explored.first(self.n_examples)
        real = self._problem(task, explored.observations, target, rails, executor)
        training = None if self.surrogate is None else self._training(task, real, explored, settings, seed)
        improves = training is not None and self.preset == "default"
        seeds = draw_seeds(seed, VALIDATION, self.n_validation + self.n_confirmation)
        validator = PolicyValidator(
            real,
            seeds[: self.n_validation],
            target,
            N_CONTENDERS,
            training.local_search(seed, settings.max_rules) if training is not None and improves else None,
            confirmation=seeds[self.n_validation :],
            seconds=np.inf if self.max_seconds is None else self.max_seconds - (time.monotonic() - start),
        )
        result = self._evolve(real, training, settings, validator, seed, executor)
        warn_if_interrupted(result, "policy")
        self.schema_ = task.schema
        self.history_ = result.history
        self.solved_ = validator.confirmed is not None
        self.stop_reason_ = "finished" if validator.out_of_time and not self.solved_ else result.reason
        self.evolved_ruleset_ = validator.best
        chosen = validator.confirmed or validator.prune(validator.best, settings.parsimony)
        validated = real.try_out([chosen], validator.seeds)
        self.validation_score_ = float(validated.returns[0].mean())
        n_rules, decided = len(chosen.rules), validated.decided[0]
        applied = [*validated.applied[0, :n_rules], decided[-1]]
        data = f"steps of {self.n_validation:,} validation episodes of {task.name}"
        counts = count_rules(data, validated.n_steps, applied, [*decided[:n_rules], decided[-1]])
        self._settle(RulePolicy(chosen.replace(counts=counts), task.actions), rails)
        return self

    def __call__(self, observation: ArrayLike) -> Any:
        """Return the action to take, and remember the observation for the lags of later decisions."""
        return self._fitted()(observation)

    def reset(self) -> None:
        """Begin a new episode: forget what was observed."""
        self._fitted().reset()

    def explain(self, observation: ArrayLike) -> Explanation:
        """Explain what the policy would do next if it observed this."""
        return self._fitted().explain(observation)

    def score(self, n_episodes: int = 100, seed: int = 0) -> float:
        """Return the mean return in new episodes, which had no part in finding or choosing the policy."""
        return float(self.returns(n_episodes, seed).mean())

    def returns(self, n_episodes: int = 100, seed: int = 0) -> Floats:
        """Return what each of some new episodes brings."""
        ruleset = self._fitted().ruleset
        task = replace(self._read(), schema=ruleset.schema)  # given rules may look back further
        problem = self._problem(task, np.zeros((1, len(ruleset.schema.features))))
        returns: Floats = problem.try_out([ruleset], draw_seeds(seed, TEST, n_episodes)).returns[0]
        return returns

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the rules as a JSON file."""
        self._fitted().save(path)

    def load(self, rules: Rules) -> Self:
        """Take given rules for this environment instead of fitting: a rule set, text, or the path of a file.

        Features and actions are found by name, and the rules may read only some of them.
        """
        task = self._read()
        ruleset = match_task(read_ruleset(rules), task.schema)
        self._settle(RulePolicy(ruleset, task.actions), self._guardrails(task))
        self.schema_ = ruleset.schema
        return self

    @classmethod
    def from_ruleset(cls, ruleset: Rules, env: "Environment", **parameters: Any) -> Self:
        """Return a policy for an environment that is a given rule set; `parameters` are those of the class.

        Those of the search take effect if `fit` is called, which evolves other rules.

        >>> policy = EvoterPolicy.from_ruleset("angle.of.pole > 0 -> Right; Default -> Left", "CartPole-v1")
        >>> policy([0.0, 0.0, 0.1, 0.0])
        1
        """
        return cls(env, **parameters).load(ruleset)

    def with_ruleset(self, ruleset: Rules) -> Self:
        """Return a copy of the policy with other rules, as `load` takes them; `score` measures what they earn."""
        check_is_fitted(self)
        other = copy(self).load(ruleset)
        for name in ("validation_score_", "solved_"):  # of the rules before
            if hasattr(other, name):
                delattr(other, name)
        return other

    def to_python(self) -> str:
        """Return the policy as Python source that needs nothing else: a function from observations to actions."""
        return self._fitted().to_python()

    def _fitted(self) -> RulePolicy:
        check_is_fitted(self)
        policy: RulePolicy = self.policy_
        return policy

    def _guardrails(self, task: ControlTask) -> Guardrails:
        return guardrails_of(self, task.schema, ControlProblem.mode)

    def _settle(self, policy: RulePolicy, rails: Guardrails) -> None:
        check_kept(rails, policy.ruleset)
        self.guardrails_ = rails
        self.policy_ = policy
        self.ruleset_ = policy.ruleset.restricted()

    def _read(self) -> ControlTask:
        return read_environment(
            self.env,
            max_lag=self.max_lag,
            feature_names=self.feature_names,
            units=self.units,
            action_names=self.action_names,
            action_levels=self.action_levels,
        )

    def _problem(
        self,
        task: ControlTask,
        observed: Floats,
        target: float | None = None,
        rails: Guardrails | None = None,
        executor: Executor | None = None,
    ) -> ControlProblem:
        return ControlProblem(
            task.schema,
            task.batch,
            observed,
            n_episodes=self.n_episodes,
            name=task.name,
            race=self.preset == "default",
            executor=executor,
            target=target,
            hard_share=self.hard_share,
            guardrails=rails,
        )

    def _n_explored(self) -> int:
        """Return the number of random episodes; for a surrogate, so few that the examples contain their ends."""
        return N_EPISODES if self.surrogate is None else max(1, self.n_examples // STEPS_PER_EPISODE)

    def _training(
        self, task: ControlTask, real: ControlProblem, explored: Exploration, settings: Settings, seed: int
    ) -> SurrogateTraining:
        """Return a surrogate that has learnt from the steps of random actions, or of random policies."""
        assert self.surrogate is not None
        examples = explored
        if self.examples_from == "policies":
            drawn = [*map(real.guarded, self._first_generation(real, settings, seed)[: self._n_explored()])]
            episodes = draw_seeds(seed, EXPERIENCE, len(drawn))
            examples = record_steps(drawn, task.schema, task.batch, episodes, self.n_examples)
        return SurrogateTraining(
            task,
            self.surrogate,
            explored.observations,
            examples,
            n_episodes=self.n_episodes,
            guardrails=real.guardrails,
        )

    def _first_generation(self, problem: ControlProblem, settings: Settings, seed: int) -> list[RuleSet]:
        draw = draw_first_generation if self.preset == "default" else draw_random_generation
        return draw(problem, settings, seed)

    def _evolve(
        self,
        real: ControlProblem,
        training: SurrogateTraining | None,
        settings: Settings,
        validator: PolicyValidator,
        seed: int,
        executor: Executor,
    ) -> Result:
        """Evolve until the validator ends it or there are no generations left, with restarts if asked to.

        The history is that of all searches, the rest of the result that of the last.
        """
        length = min(self.generations, self.restart_after or self.retrain_after or self.generations)
        starts = range(0, self.generations, length)
        history, last, climbs = History(), LastGeneration(), HillClimbs()
        everyone = settings.replace(population_size=settings.n_islands * settings.population_size)
        for number, (first, seed_of_search) in enumerate(zip(starts, _search_seeds(seed, len(starts)), strict=True)):
            continues = number > 0 and training is not None and self.retrain_after is not None
            if continues and training is not None:
                self._retrain(training, last, validator, settings, seed_of_search)
            problem = real if training is None else training.problem
            drawn = last.leaders(everyone.population_size) if continues else None
            if drawn is None:
                drawn = self._first_generation(problem, everyone, seed_of_search)
            n_initial = max(everyone.population_size, len(self.initial_rulesets))
            given = () if continues else self.initial_rulesets
            path = checkpoint_path(self)
            if path is not None and number:
                path = path.with_name(f"{path.name}.{number}")
            if self.n_changes > 0:
                climbs.restart(HillClimb(real, settings, seed_of_search, self.n_changes))
                validator.climb = climbs
            result = search(
                self,
                problem,
                settings,
                seed=seed_of_search,
                until=stopping_of(self, generations=min(length, self.generations - first)),
                initial_rulesets=[*given, *drawn][:n_initial],
                watchers=[validator, last],
                checkpoint=path,
                executor=executor,
            )
            history = history.followed_by(result.history)
            if validator.confirmed is None:
                validator.validate([result.best])
            if validator.confirmed is not None or result.reason != "finished":
                break
        return replace(result, history=history)

    def _retrain(
        self,
        training: SurrogateTraining,
        last: LastGeneration,
        validator: PolicyValidator,
        settings: Settings,
        seed: int,
    ) -> None:
        """Let the best policies act in the environment, and the surrogate learn from what happens."""
        actors = list(dict.fromkeys([validator.best, *last.leaders(self._n_explored())]))[: self._n_explored()]
        training.learn_from(actors, draw_seeds(seed, EXPERIENCE, len(actors)), self.n_examples)
        if validator.improve is not None:
            validator.improve = training.local_search(seed, settings.max_rules)

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        parameters = str(super().__repr__(N_CHAR_MAX))
        return f"{parameters}\n{self.policy_!r}" if hasattr(self, "policy_") else parameters


def _search_seeds(seed: int, n_searches: int) -> list[int]:
    """Return a seed for each search of a run; the first has that of the run, which its checkpoint remembers."""
    return [seed, *draw_seeds(seed, RESTARTS, n_searches - 1).tolist()]
