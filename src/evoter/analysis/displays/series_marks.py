"""What the conditions of rules about series looked at: which steps, what was found there, and how to say it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evoter.rules.explain import ConditionOutcome, Reading
from evoter.rules.forms.registry import form_of
from evoter.rules.model import Condition, Constant
from evoter.rules.printing.pieces import TimeStep, number_text
from evoter.rules.reasoning.spans import double
from evoter.rules.schema import Feature, Schema

LEVELS = ("mean", "min", "max")
"""The statistics of a window that are values of its channel, and can be drawn among them."""

_NAMES = {"std": "standard deviation", "min": "minimum", "max": "maximum"}
_DIGITS = 4
"""Values are said to so many digits, unless they would then look like the number they are compared with."""


class Windows(NamedTuple):
    """How features come from windows: steps per window, steps from one to the next, and each feature's origin."""

    length: int
    stride: int
    origins: Mapping[str, tuple[str, str]]
    """The channel and the statistic of each feature."""


class Look(NamedTuple):
    """The steps that a term read, counted back from the decision, and what it found there."""

    reading: Reading
    channel: str
    statistic: str
    """Empty for a single value."""
    oldest: int
    newest: int

    @property
    def is_level(self) -> bool:
        """Whether what was read is a value of the channel."""
        return self.statistic in ("", *LEVELS)

    @property
    def what(self) -> str:
        """What was read, a channel or a statistic of it."""
        return f"{_NAMES.get(self.statistic, self.statistic)} of {self.channel}" if self.statistic else self.channel


def look_of(reading: Reading, windows: Windows | None) -> Look:
    """Return where a term looked.

    >>> from evoter.rules.model import Term
    >>> windows = Windows(30, 30, {"MAP.mean": ("MAP", "mean")})
    >>> look = look_of(Reading(Term("MAP.mean", lag=2), 71.5), windows)
    >>> look.what, look.oldest, look.newest
    ('mean of MAP', 89, 60)
    """
    term = reading.term
    if windows is None:
        return Look(reading, term.feature, "", term.lag, term.lag)
    channel, statistic = windows.origins[term.feature]
    newest = term.lag * windows.stride
    return Look(reading, channel, statistic, newest + windows.length - 1, newest)


def zones(condition: Condition, schema: Schema) -> list[tuple[float, float]]:
    """Return the values, as intervals, for which a comparison with a number holds; none for other conditions.

    >>> from evoter.rules.model import Term
    >>> schema = Schema([Feature("x", unit="mmHg")], actions=["a"])
    >>> zones(Condition(Term("x", 0.5), "<=", 30), schema), zones(Condition(Term("x", power=2), ">=", 9), schema)
    ([(-inf, 60.0)], [(-inf, -3.0), (3.0, inf)])
    """
    form = form_of(condition)
    if not form.thresholds(condition):
        return []
    open_ended = schema.with_feature(condition.left.feature, low=None, high=None, scaled=False, step=None)
    single = form.satisfying(condition, open_ended)
    return [] if single is None else [(double(first), double(last)) for first, last in single[1]]


def time_text(n_steps: float, time_step: TimeStep | None) -> str:
    """Say how long some steps take.

    >>> time_text(4, (15, "min")), time_text(1, None), time_text(3, None)
    ('60 min', '1 step', '3 steps')
    """
    if time_step is None:
        return f"{n_steps:.10g} step{'' if n_steps == 1 else 's'}"
    length, unit = time_step
    return f"{n_steps * length:.10g} {unit}"


def place_text(look: Look, time_step: TimeStep | None) -> str:
    """Say what was looked at and when.

    >>> from evoter.rules.model import Term
    >>> windows = Windows(30, 30, {"MAP.mean": ("MAP", "mean")})
    >>> [place_text(look_of(Reading(Term("MAP.mean", lag=k), 70.0), windows), (1, "min")) for k in (0, 2)]
    ['mean of MAP in the last 30 min', 'mean of MAP from 90 to 60 min before']
    """
    if not look.statistic:
        return f"{look.what} {'now' if look.newest == 0 else time_text(look.newest, time_step) + ' before'}"
    if look.newest == 0:
        return f"{look.what} in the last {time_text(look.oldest + 1, time_step)}"
    length = 1.0 if time_step is None else time_step[0]
    return f"{look.what} from {(look.oldest + 1) * length:.10g} to {time_text(look.newest, time_step)} before"


def words(outcome: ConditionOutcome, schema: Schema, windows: Windows | None, time_step: TimeStep | None) -> str:
    """Say a condition as a sentence: what it looked at, what it found there, and what it asked for."""
    condition, form = outcome.condition, form_of(outcome.condition)
    looks = [look_of(reading, windows) for reading in outcome.readings]
    features = [schema.feature(look.reading.term.feature) for look in looks]
    requirement = form.requirement(condition, schema)
    asked = requirement if outcome.holds else f"not {requirement}"
    if not looks[0].reading.available:
        return f"{place_text(looks[0], time_step)}: too little history"
    if not form.compares:
        return f"{place_text(looks[0], time_step)}: {asked}"
    for look in looks:
        if look.reading.value is None:
            what = "no value" if look.reading.available else "too little history"
            return f"{place_text(look, time_step)}: {what}"
    scaled = form.scales and any(feature.scaled for feature in features)
    if isinstance(outcome.left, float) and isinstance(outcome.right, float) and form.adds:
        added = [
            _side(look, feature, _product(look), time_step, scaled=False)
            for look, feature in zip(looks, features, strict=True)
        ]
        return f"{', '.join(added)}; sum {_told_apart(outcome.left, outcome.right)}, {asked}"
    bounds = form.thresholds(condition) if condition.left.is_plain else ()
    sides = [_side(looks[0], features[0], outcome.left, time_step, scaled=scaled, bounds=bounds)]
    sides += [
        _side(look, feature, outcome.right, time_step, scaled=scaled)
        for look, feature in zip(looks[1:], features[1:], strict=True)
    ]
    return f"{sides[0]}, {' '.join([asked, *sides[1:]])}"


def _product(look: Look) -> float | None:
    value = look.reading.value
    return look.reading.term.coefficient * value if isinstance(value, float) else None


def _side(
    look: Look,
    feature: Feature,
    side: Constant | None,
    time_step: TimeStep | None,
    *,
    scaled: bool,
    bounds: Sequence[float] = (),
) -> str:
    """Say one side of a comparison: what was looked at, its value, and the result of arithmetic where there is any."""
    value, term = look.reading.value, look.reading.term
    place = place_text(look, time_step)
    if term.is_plain and not scaled:
        return f"{place}: {value_text(value, feature, *bounds)}"
    power = ("", "", "\N{SUPERSCRIPT TWO}", "\N{SUPERSCRIPT THREE}")[term.power]
    factor = "" if term.coefficient == 1.0 else f"{number_text(term.coefficient)} × "
    base = f"{value_text(value, feature)}{' scaled' if scaled else ''}"
    raised = f"({base}){power}" if power else base
    return f"{factor}{place}: {factor}{raised} = {_rounded(side)}"


def value_text(value: Constant | None, feature: Feature, *bounds: float) -> str:
    """Say a value with its unit, to a few digits unless it would look like a bound that it is not.

    >>> value_text(59.9996, Feature("MAP", unit="mmHg")), value_text(59.9996, Feature("MAP", unit="mmHg"), 60.0)
    ('60 mmHg', '59.9996 mmHg')
    """
    if not isinstance(value, float):
        return str(value)
    return f"{_told_apart(value, *bounds)} {feature.unit}".rstrip()


def _told_apart(value: float, *bounds: float) -> str:
    text = _rounded(value)
    return number_text(value) if any(value != bound and float(text) == bound for bound in bounds) else text


def _rounded(value: object) -> str:
    return f"{value:.{_DIGITS}g}" if isinstance(value, float) else str(value)
