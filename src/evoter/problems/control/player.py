"""Players: an environment and how its observations are called, which can be copied to another process."""

from dataclasses import dataclass

import numpy as np

from evoter.environments.batch import BatchEnvironment
from evoter.evolution.executor import Answer
from evoter.kernels.layout import Ints, Population
from evoter.kernels.threads import Threads
from evoter.problems.control.rollout import Rollout, roll_out
from evoter.rules.schema import Schema


@dataclass(frozen=True, eq=False)
class Player:
    """Lets individuals play, each by itself."""

    schema: Schema
    environment: BatchEnvironment

    def work(self, population: Population, argument: Ints, threads: Threads) -> Answer:
        """Let every individual play an episode for every seed; return what a `Rollout` has for each of them.

        `argument` are the number of episodes in which all rules that hold are counted, and the seeds.
        """
        played = roll_out(population, self.schema, self.environment, argument[1:], threads, int(argument[0]))
        return played.returns, played.applied, played.decided


def argument_of(seeds: Ints, n_counted: int | None) -> Ints:
    """Return what `Player.work` takes."""
    return np.concatenate([[len(seeds) if n_counted is None else n_counted], seeds]).astype(np.int64)


def rollout_of(answer: Answer) -> Rollout:
    """Return the roll-out that an answer of `Player.work` is about: there is one decision a step."""
    returns, applied, decided = answer
    return Rollout(returns, applied, decided, int(decided.sum()))
