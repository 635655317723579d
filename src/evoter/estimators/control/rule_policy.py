"""RulePolicy: a rule set at work as a policy, one observation at a time."""

import os
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from evoter.export.python import to_python
from evoter.rules.errors import SchemaError
from evoter.rules.explain import Explanation, explain
from evoter.rules.interpreter import Decision, decide_now
from evoter.rules.json_codec import load, save
from evoter.rules.model import RuleSet
from evoter.rules.stream import furthest_lag
from evoter.rules.values import Row


class RulePolicy:
    """A policy: `policy(observation)` is the action to take, `policy.reset()` begins a new episode.

    The features of the rule set's schema are the parts of an observation, in order. `actions` are what the
    environment calls the schema's actions; without it, they are numbers from 0.

    >>> from evoter.rules.parser import parse
    >>> policy = RulePolicy(parse("angle > 0.02 -> Right; Default -> Left; where actions: Left | Right"))
    >>> policy([0.1]), policy([-0.1])
    (1, 0)
    """

    def __init__(self, ruleset: RuleSet, actions: Sequence[Any] | None = None) -> None:
        self.ruleset = ruleset
        self.actions = list(range(len(ruleset.schema.actions)) if actions is None else actions)
        if len(self.actions) != len(ruleset.schema.actions):
            names = ", ".join(ruleset.schema.actions)
            raise SchemaError(f"there are {len(self.actions)} actions, but the rule set names {names}")
        self._places = [(name, ruleset.schema.position(name)) for name in ruleset.features_used]
        self._before: deque[Row] = deque(maxlen=furthest_lag(ruleset))

    def __call__(self, observation: ArrayLike) -> Any:
        """Return the action to take, and remember the observation for the lags of later decisions."""
        return self.actions[self.ruleset.schema.actions.index(self.decide(observation).action)]

    def decide(self, observation: ArrayLike) -> Decision:
        """Do the same, but return the decision with the rules that brought it about."""
        row = self._row(observation)
        decision = decide_now(self.ruleset, [*self._before, row])
        self._before.append(row)
        return decision

    def explain(self, observation: ArrayLike) -> Explanation:
        """Explain what the policy would do next if it observed this; nothing is remembered."""
        return explain(self.ruleset, [*self._before, self._row(observation)])

    def reset(self) -> None:
        """Forget what was observed: the next observation begins an episode."""
        self._before.clear()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the rule set as JSON; `RulePolicy(evoter.load(path))` is the same policy with numbered actions."""
        save(self.ruleset, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], actions: Sequence[Any] | None = None) -> "RulePolicy":
        """Read a policy that was saved."""
        return cls(load(path), actions)

    def to_python(self) -> str:
        """Return the policy as Python source that needs nothing else: a function from observations to actions."""
        plain = [action.tolist() if isinstance(action, np.ndarray | np.generic) else action for action in self.actions]
        return to_python(self.ruleset, plain)

    def _row(self, observation: ArrayLike) -> Row:
        values = np.ravel(np.asarray(observation, np.float64)).tolist()
        expected = self.ruleset.schema.names
        if len(values) != len(expected):
            raise SchemaError(f"the observation has {len(values)} values, not {len(expected)}: {', '.join(expected)}")
        return {name: values[place] for name, place in self._places}

    def __repr__(self) -> str:
        return self.ruleset.to_text("aligned", declarations=False)
