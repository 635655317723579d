"""Deciding on a stream: one observation at a time, with as much history as the rules look back at."""

from collections import deque
from collections.abc import Mapping, Sequence

from evoter.rules.errors import SchemaError
from evoter.rules.interpreter import Decision, decide_now
from evoter.rules.model import RuleSet
from evoter.rules.values import Row, Value, read


class Stream:
    """A rule set at work on a series that is still going on; it keeps its own short history.

    The decisions are those of `decide_series` on the whole series. `names` says what the values of an observation
    without names stand for; without it, they are the features of the rule set's schema.

    >>> from evoter.rules.parser import parse
    >>> stream = Stream(parse("x > x[1] -> rising; Default -> falling"))
    >>> [stream.observe({"x": x}).action for x in (3, 5, 4)]
    ['falling', 'rising', 'falling']
    """

    def __init__(self, ruleset: RuleSet, names: Sequence[str] | None = None) -> None:
        self.ruleset = ruleset
        self.names = ruleset.schema.names if names is None else tuple(names)
        self._features = [ruleset.schema.feature(name) for name in ruleset.features_used]
        self._history: deque[Row] = deque(maxlen=furthest_lag(ruleset) + 1)

    def observe(self, observation: Row | Sequence[Value]) -> Decision:
        """Take the next observation, a mapping or the values in order, and decide; a bad one changes nothing."""
        row = named(observation, self.names)
        # Read once, here: later decisions find values that are known to be good.
        self._history.append({feature.name: read(feature, row) for feature in self._features})
        return decide_now(self.ruleset, list(self._history))

    def reset(self) -> None:
        """Forget the history: the next observation begins another series."""
        self._history.clear()


def furthest_lag(ruleset: RuleSet) -> int:
    """Return the largest lag that some condition of a rule set reads."""
    lags = [term.lag for rule in ruleset.rules for condition in rule.conditions for term in condition.terms]
    return max(lags, default=0)


def named(observation: Row | Sequence[Value], names: Sequence[str]) -> Row:
    """Return an observation as a mapping; values without names are matched with `names`."""
    if isinstance(observation, Mapping):
        return observation
    if isinstance(observation, str | bytes) or not hasattr(observation, "__len__"):
        raise SchemaError(
            f"an observation is a mapping from names to values or a sequence of values, not "
            f"{type(observation).__name__} {observation!r}"
        )
    if len(observation) != len(names):
        raise SchemaError(
            f"the observation has {len(observation)} values, but there are {len(names)} names: {', '.join(names)}"
        )
    return dict(zip(names, observation, strict=True))
