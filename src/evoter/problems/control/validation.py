"""Validation of policies: in unseen episodes, until one is good enough, whose rules are then reduced to the fewest."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from evoter.evolution.engine import Evolution
from evoter.kernels.layout import Floats, Ints
from evoter.problems.control.problem import PLAY_OFF, ControlProblem, draw_seeds
from evoter.problems.control.racing import race
from evoter.rules.model import RuleSet
from evoter.rules.simplify import prune_inactive

MOST_CONTENDERS = 30
"""Number of candidates validated when the best of a generation seems to have reached the target: one may be lucky."""

MOST_FINALISTS = 30
LEAST_FINALISTS = 3
STEPS_OF_FINALISTS = 2_000_000
"""Maximum steps played by the candidates of one size that are made smaller or confirmed; it limits their number."""

N_IMPROVED = 2
"""Number of candidates of each generation that are improved first: a single one may be far from any good policy."""

N_PLAY_OFFS = 3
"""How many times policies that are equally small and proven go on, to find the most reliable one."""

FINAL_SHARE = 0.2
"""The share of a run's time that is reserved for making the best policy smaller."""


class PolicyValidator:
    """A watcher of a run that lets the best of each generation play unseen episodes and remembers the best of all.

    Of each generation, `n_contenders` are validated in the episodes of `seeds`, and more when the best seems to have
    reached the target. `problem` need not be the one of the run. With `improve`, that function is applied to the best
    two policies that it has not been applied to before, and the policies it returns are validated as well. So are those
    that `climb` returns, given the best policies and the number of the generation.

    With a `target`, policies whose mean return reaches it also play the episodes of `confirmation`. Those that reach it
    there, too, are made smaller in all ways that keep the target, and the smallest that reaches it in both is
    `confirmed`: the run ends.

    With a number of `seconds`, counted from now, the run also ends in time to make the best policy smaller.
    """

    def __init__(
        self,
        problem: ControlProblem,
        seeds: Ints,
        target: float | None = None,
        n_contenders: int = 1,
        improve: Callable[[RuleSet], Sequence[RuleSet]] | None = None,
        *,
        climb: Callable[[Sequence[RuleSet], int], Sequence[RuleSet]] | None = None,
        confirmation: Ints | None = None,
        seconds: float = np.inf,
    ) -> None:
        self.problem = problem
        self.seeds = seeds
        self.target = np.inf if target is None else target
        self.n_contenders = n_contenders
        self.improve = improve
        self.climb = climb
        self.confirmation = seeds[:0] if confirmation is None else confirmation
        self.confirmed: RuleSet | None = None
        self.out_of_time = False
        self._best: RuleSet | None = None
        self._best_returns: Floats | None = None
        self._judged: set[RuleSet] = set()
        self._confirmations: dict[RuleSet, float] = {}
        self._improved: set[RuleSet] = set()
        steps = max(1, len(seeds)) * problem.environment.max_steps
        self._n_finalists = min(max(STEPS_OF_FINALISTS // steps, LEAST_FINALISTS), MOST_FINALISTS)
        self._last_call = time.monotonic()
        self._final = self._last_call + (1.0 - FINAL_SHARE) * seconds
        self._end = self._last_call + seconds

    @property
    def best(self) -> RuleSet:
        """The best rule set that has been validated."""
        if self._best is None:
            raise RuntimeError("no rule set has been validated yet")
        return self._best

    @property
    def best_score(self) -> float:
        """Its mean return."""
        return -np.inf if self._best_returns is None else float(self._best_returns.mean())

    def __call__(self, evolution: Evolution, progress: float) -> bool:
        """Validate the best of the current generation; return whether the target is reached or time has run out."""
        promising = evolution.history.last.best >= self.target
        contenders = evolution.leaders(MOST_CONTENDERS if promising else self.n_contenders)
        if self.improve is not None:
            unimproved = [contender for contender in contenders if contender not in self._improved][:N_IMPROVED]
            self._improved.update(unimproved)
            contenders += [form for each in unimproved for form in self.improve(self.problem.guarded(each))]
        if self.climb is not None:
            contenders += self.climb(contenders[: self.n_contenders], evolution.generation)
        self.validate(contenders)
        now = time.monotonic()
        # Another generation like this one would end too late.
        self.out_of_time = now + (now - self._last_call) > self._final
        self._last_call = now
        return self.confirmed is not None or self.out_of_time

    def validate(self, rulesets: Sequence[RuleSet]) -> None:
        """Let rule sets that have not been validated yet play, and keep the best; of equal ones, the smaller.

        Rule sets that reach the target, also in the confirmation, are made smaller.
        """
        guarded = dict.fromkeys(map(self.problem.guarded, rulesets))
        new = [ruleset for ruleset in guarded if ruleset not in self._judged]
        reached: list[RuleSet] = []
        # The others must keep up with the first.
        for some in (new[:1], new[1:]) if self._best is None else (new,):
            self._judged.update(some)
            for ruleset, returns in race(self.problem, some, self.seeds, self._bar(), self._is_late).items():
                self._remember(ruleset, returns)
                if returns.mean() >= self.target:
                    reached.append(ruleset)
        if proven := self._proven(reached):
            self.confirmed = self._smallest(self._smaller_forms(sorted(proven, key=_size)[: self._n_finalists]))

    def scores(self, rulesets: Sequence[RuleSet]) -> list[float]:
        """Return the mean return of each rule set in the unseen episodes."""
        means: list[float] = self.problem.try_out(rulesets, self.seeds).returns.mean(axis=1).tolist()
        return means

    def prune(self, ruleset: RuleSet, price: float) -> RuleSet:
        """Remove rules and conditions, one at a time, that add less than `price` each to the return in unseen episodes.

        A policy that has reached the target still reaches it afterwards. Rules that never decide are removed first.
        """
        rollout = self.problem.try_out([ruleset], self.seeds)
        ruleset = self._active_part(ruleset, rollout.decided[0])
        returns = rollout.returns[0]
        while smaller := self._with_less(ruleset):
            saved = {less: price * (ruleset.n_conditions - less.n_conditions) for less in smaller}
            bars = returns - np.array(list(saved.values()))[:, None]
            finished = race(self.problem, smaller, self.seeds, bars, self._is_late)
            floor = self.target if returns.mean() >= self.target else -np.inf
            worth = {less: earned.mean() + saved[less] for less, earned in finished.items() if earned.mean() >= floor}
            best = max(worth, key=lambda less: worth[less], default=None)
            if best is None or worth[best] < returns.mean():
                break
            ruleset, returns = best, finished[best]
        return ruleset

    def _remember(self, ruleset: RuleSet, returns: Floats) -> None:
        score = returns.mean()
        smaller = self._best is None or ruleset.n_conditions < self._best.n_conditions
        if score > self.best_score or (score == self.best_score and smaller):
            self._best, self._best_returns = ruleset, returns

    def _bar(self) -> Floats | None:
        """Return the returns to reach: those of the best, or the target if that is lower."""
        return None if self._best_returns is None else np.minimum(self._best_returns, self.target)

    def _is_late(self) -> bool:
        return self._best is not None and time.monotonic() > self._end

    def _proven(self, rulesets: Sequence[RuleSet]) -> list[RuleSet]:
        """Return the rule sets that reach the target in the episodes of the confirmation, the best first."""
        if len(self.confirmation) == 0:
            return list(rulesets)
        new = [ruleset for ruleset in rulesets if ruleset not in self._confirmations]
        bar = np.full(len(self.confirmation), self.target)
        finished = race(self.problem, new, self.confirmation, bar, self._is_late)
        for ruleset in new:
            self._confirmations[ruleset] = float(finished[ruleset].mean()) if ruleset in finished else -np.inf
        proven = [ruleset for ruleset in rulesets if self._confirmations[ruleset] >= self.target]
        return sorted(proven, key=lambda ruleset: -self._confirmations[ruleset])

    def _smaller_forms(self, rulesets: Sequence[RuleSet]) -> list[RuleSet]:
        """Return rule sets, and versions of them without rules and conditions that the target does not need."""
        decided = self.problem.try_out(rulesets, self.seeds).decided
        active = [self._active_part(*pair) for pair in zip(rulesets, decided, strict=True)]
        forms = dict.fromkeys([*rulesets, *active])
        level = list(dict.fromkeys(active))
        while level and not self._is_late():
            shorter = dict.fromkeys(less for form in level for less in self._with_less(form))
            new = [form for form in shorter if form not in forms]
            bar = np.full(len(self.seeds), self.target)
            finished = race(self.problem, new, self.seeds, bar, self._is_late)
            reached = [form for form, returns in finished.items() if returns.mean() >= self.target]
            level = sorted(reached, key=_size)[: self._n_finalists]
            forms.update(dict.fromkeys(level))
        return list(forms)

    def _smallest(self, forms: Sequence[RuleSet]) -> RuleSet:
        """Return the smallest proven form that reaches the target in further episodes, too; else the most reliable.

        There are many forms, and the smallest that pass a confirmation are often those that pass it by chance.
        """
        chosen: list[tuple[float, RuleSet]] = []
        for size in sorted({form.n_conditions for form in forms}):
            if proven := self._proven([form for form in forms if form.n_conditions == size]):
                chosen.append(self._most_reliable(proven))
                if chosen[-1][0] >= self.target:
                    return chosen[-1][1]
        return max(chosen, key=lambda pair: pair[0])[1]

    def _most_reliable(self, rulesets: Sequence[RuleSet]) -> tuple[float, RuleSet]:
        """Return the one that reaches the target in most rounds of as many further episodes as confirm it.

        Before it is its return in the worst of the rounds, the target if there are none.
        """
        left = list(rulesets[: self._n_finalists])
        worst = self.target
        bar = np.full(len(self.confirmation), self.target)
        seeds = draw_seeds(int(self.confirmation[0]), PLAY_OFF, N_PLAY_OFFS).tolist() if len(bar) > 0 else []
        for seed in seeds:
            episodes = draw_seeds(seed, PLAY_OFF, len(bar))
            finished = race(self.problem, left, episodes, bar, self._is_late)
            earned = [float(finished[form].mean()) if form in finished else -np.inf for form in left]
            most = min(max(earned), self.target)
            left = [form for form, mean in zip(left, earned, strict=True) if mean >= most]
            worst = min(worst, most)
        return worst, left[0]

    def _with_less(self, ruleset: RuleSet) -> list[RuleSet]:
        """Return the rule set without each of its rules and conditions, simplified; guardrails bring some back."""
        smaller = dict.fromkeys(self.problem.simplified(less) for less in one_less(ruleset))
        return [less for less in smaller if less.n_conditions < ruleset.n_conditions]

    def _active_part(self, ruleset: RuleSet, decided: Ints) -> RuleSet:
        """Return a rule set without the rules that never decided."""
        return self.problem.simplified(prune_inactive(ruleset, decided[: len(ruleset.rules)].tolist()))


def _size(ruleset: RuleSet) -> int:
    return ruleset.n_conditions


def one_less(ruleset: RuleSet) -> Iterator[RuleSet]:
    """Yield the rule set without each of its rules, and without each condition of rules that have several."""
    for k, rule in enumerate(ruleset.rules):
        if rule.pinned:
            continue
        before, after = ruleset.rules[:k], ruleset.rules[k + 1 :]
        yield ruleset.replace(rules=(*before, *after))
        if len(rule.conditions) > 1:
            for c in range(len(rule.conditions)):
                conditions = rule.conditions[:c] + rule.conditions[c + 1 :]
                yield ruleset.replace(rules=(*before, replace(rule, conditions=conditions), *after))
