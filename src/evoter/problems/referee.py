"""The referee: judges policies in unseen episodes, ends a run when one is good enough, and prunes the winner."""

from collections.abc import Callable, Sequence

import numpy as np

from evoter.evolution.engine import Evolution
from evoter.kernels.layout import Ints
from evoter.problems.control import ControlProblem
from evoter.problems.pruning import one_less
from evoter.rules.model import RuleSet
from evoter.rules.simplify import prune_inactive, simplify

MOST_CONTENDERS = 30
"""So many are judged when the best of a generation seems to have reached the target: one may have been lucky."""


class Referee:
    """A watcher of a run that lets the best of each generation play unseen episodes and remembers the best of all.

    With a `target`, the run ends when one of them earns so much on average. Of each generation, `n_contenders` are
    judged, and more when the very best seems to have reached the target. `problem` need not be the one of the run.
    With `prepare`, what that function makes of the very best is judged too.
    """

    def __init__(
        self,
        problem: ControlProblem,
        seeds: Ints,
        target: float | None = None,
        n_contenders: int = 1,
        prepare: Callable[[RuleSet], Sequence[RuleSet]] | None = None,
    ) -> None:
        self.problem = problem
        self.seeds = seeds
        self.target = np.inf if target is None else target
        self.n_contenders = n_contenders
        self.prepare = prepare
        self.best_score = -np.inf
        self._best: RuleSet | None = None
        self._judged: set[RuleSet] = set()

    @property
    def best(self) -> RuleSet:
        """The best rule set that has been judged."""
        if self._best is None:
            raise RuntimeError("no rule set has been judged yet")
        return self._best

    def __call__(self, evolution: Evolution, progress: float) -> bool:
        """Judge the leaders of the present generation; return whether the target is reached."""
        promising = evolution.history.last.best >= self.target
        contenders = evolution.leaders(MOST_CONTENDERS if promising else self.n_contenders)
        if self.prepare is not None:
            contenders += self.prepare(contenders[0])
        self.judge(contenders)
        return self.best_score >= self.target

    def judge(self, rulesets: Sequence[RuleSet]) -> None:
        """Let rule sets that have not been judged yet play, and remember the best; of equal ones, the smaller."""
        new = [ruleset for ruleset in dict.fromkeys(rulesets) if ruleset not in self._judged]
        if not new:
            return
        self._judged.update(new)
        for ruleset, score in zip(new, self.scores(new), strict=True):
            smaller = self._best is None or ruleset.n_conditions < self._best.n_conditions
            if score > self.best_score or (score == self.best_score and smaller):
                self._best, self.best_score = ruleset, score

    def scores(self, rulesets: Sequence[RuleSet]) -> list[float]:
        """Return the mean return of each rule set in the unseen episodes."""
        means: list[float] = self.problem.try_out(rulesets, self.seeds).returns.mean(axis=1).tolist()
        return means

    def prune(self, ruleset: RuleSet, price: float) -> RuleSet:
        """Remove rules and conditions, one after the other, that earn less than `price` each in the unseen episodes.

        A policy that has reached the target stays there. Rules that never decide go first.
        """
        ruleset = simplify(prune_inactive(ruleset, self._times_decided(ruleset)))
        score = self.scores([ruleset])[0]
        while smaller := [simplify(less) for less in one_less(ruleset)]:
            scores = np.array(self.scores(smaller))
            saved = np.array([ruleset.n_conditions - less.n_conditions for less in smaller])
            scores[(scores < score) & (scores < self.target) & (score >= self.target)] = -np.inf
            best = int(np.argmax(scores + price * saved))
            if scores[best] + price * saved[best] < score:
                return ruleset
            ruleset, score = smaller[best], scores[best]
        return ruleset

    def _times_decided(self, ruleset: RuleSet) -> list[int]:
        decided: list[int] = self.problem.try_out([ruleset], self.seeds).decided[0, : len(ruleset.rules)].tolist()
        return decided
