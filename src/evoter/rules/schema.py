"""The schema of a rule set: which features it may read, which actions it may take, how far back it may look."""

import math
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Self

from evoter.rules.errors import SchemaError, did_you_mean

MAX_NAME_LENGTH = 1_000
"""Longer names are taken for an accident or an attack."""

MAX_LAG = 1_000_000
"""No schema looks further back, so that a lag is always a number of rows that can exist."""


MISSING_TEXTS = frozenset({"", "?", "na", "n/a", "#n/a", "nan", "null", "<na>", "nil"})
"""Cells of a table file that mean missing in any column, in lower case; a feature may declare others."""


AMOUNT = "amount"
"""How cells such as $1,262.00, 30.0%, (1,200) and 12 kg are read: as numbers in the unit of the feature."""

DATE_ORDERS = ("year-month-day", "day-month-year", "month-day-year")
"""The orders in which dates are written."""

DATE_CELLS = re.compile(
    rf"(year|month|weekday|days since ([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})) of ({'|'.join(DATE_ORDERS)})"
)
"""How cells that are dates are read: which part of them, and the order of year, month and day."""


class Kind(StrEnum):
    """What the values of a feature are."""

    NUMERIC = "numeric"
    CATEGORICAL = "categorical"
    BOOLEAN = "boolean"


@dataclass(frozen=True, slots=True)
class Feature:
    """One input of a rule set.

    `low` and `high` bound the domain of a numeric feature (None: unbounded); for a learnt rule set they are
    the smallest and largest value seen in training. With `scaled`, comparisons between two terms read the
    feature as `(x - low) / (high - low)`; comparisons with a constant are always in raw units. `missing` says
    that values may be missing, which matters to proofs: a condition on a missing value is false.

    With a `step`, all values are whole multiples of it: 1 for whole numbers, 0.1 for numbers with one decimal. Proofs
    rely on it as they do on the range, and simplification chooses short constants between two such values. A feature
    of step 1 between 0 and 1 is binary: it is 0 or 1.

    `missing_texts` and `decimal_comma` say how the cells of a table file become values: which texts mean missing
    besides the usual ones (such as NA), and whether a comma is the decimal mark. Values that have a type already,
    as in a data frame, are taken as they are. `cells` says that cells are more than plain numbers: "amount" for numbers
    with a unit, in brackets where negative, and with separators of thousands, or a part of a date such as "month of
    day-month-year". `column` is the column of the table that has the cells, if its name is not that of the feature.

    >>> Feature("age", low=18, high=95, unit="years")
    Feature(name='age', kind=<Kind.NUMERIC: 'numeric'>, low=18.0, high=95.0, categories=(), unit='years', \
scaled=False, missing=False, missing_texts=(), decimal_comma=False, step=None, cells='', column='')
    """

    name: str
    kind: Kind = Kind.NUMERIC
    low: float | None = None
    high: float | None = None
    categories: tuple[str, ...] = ()
    unit: str = ""
    scaled: bool = False
    missing: bool = False
    missing_texts: tuple[str, ...] = ()
    decimal_comma: bool = False
    step: float | None = None
    cells: str = ""
    column: str = ""
    _category_set: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_name("feature", self.name)
        object.__setattr__(self, "kind", Kind(self.kind))
        object.__setattr__(self, "categories", tuple(self.categories))
        object.__setattr__(self, "missing_texts", tuple(self.missing_texts))
        for bound in ("low", "high"):
            value = getattr(self, bound)
            if value is None:
                continue
            if not is_finite(value):
                raise SchemaError(f"feature {self.name!r}: {bound} must be a finite number or None, not {value!r}")
            object.__setattr__(self, bound, float(value))
        numbers = (self.low, self.high, self.step)
        if self.kind is not Kind.NUMERIC and (
            any(number is not None for number in numbers) or self.scaled or self.unit or self.decimal_comma
        ):
            raise SchemaError(
                f"feature {self.name!r} is {self.kind}: only numeric features have a range, a step, a unit, a scale or "
                f"a decimal comma"
            )
        if self.low is not None and self.high is not None and self.low > self.high:
            raise SchemaError(f"feature {self.name!r}: low {self.low} is above high {self.high}")
        if self.step is not None:
            self._check_step(self.step)
        if self.scaled and (self.low is None or self.high is None):
            raise SchemaError(f"feature {self.name!r} is scaled, which needs both low and high")
        if (self.kind is Kind.CATEGORICAL) != bool(self.categories):
            raise SchemaError(
                f"feature {self.name!r} is {self.kind}: categorical features, and only they, list their categories"
            )
        for category in self.categories:
            check_name(f"category of feature {self.name!r}", category)
        check_distinct(f"feature {self.name!r} has the category", self.categories)
        if self.unit:
            check_name(f"unit of feature {self.name!r}", self.unit)
        self._check_cells()
        object.__setattr__(self, "_category_set", frozenset(self.categories))

    def _check_cells(self) -> None:
        """Refuse a way to read cells that does not exist, or that gives values of another kind."""
        for text in self.missing_texts:
            check_name(f"text for missing values of feature {self.name!r}", text)
        check_distinct(f"feature {self.name!r} has the text for missing values", self.missing_texts)
        if self.column:
            check_name(f"column of feature {self.name!r}", self.column)
        if not self.cells:
            return
        of_date = DATE_CELLS.fullmatch(self.cells)
        if self.cells != AMOUNT and not of_date:
            raise SchemaError(
                f"feature {self.name!r}: unknown way to read cells {self.cells!r}; write {AMOUNT!r} or a part of a "
                f"date, such as 'month of {DATE_ORDERS[0]}'"
            )
        if of_date and of_date[2]:
            try:
                date.fromisoformat(of_date[2])
            except ValueError:
                raise SchemaError(f"feature {self.name!r}: there is no date {of_date[2]}") from None
        kind = Kind.CATEGORICAL if self.cells.startswith("weekday") else Kind.NUMERIC
        if self.kind is not kind:
            raise SchemaError(f"feature {self.name!r} is {self.kind}, but cells read as {self.cells!r} are {kind}")

    @property
    def source(self) -> str:
        """The name of the column of a table file that has the cells of this feature."""
        return self.column or self.name

    def _check_step(self, step: float) -> None:
        if not is_finite(step) or step <= 0:
            raise SchemaError(f"feature {self.name!r}: step must be a positive number or None, not {step!r}")
        object.__setattr__(self, "step", float(step))
        if self.low is not None and self.high is not None:
            low, high, exact = (Fraction(repr(number)) for number in (self.low, self.high, float(step)))
            if math.ceil(low / exact) * exact > high:
                bounds = f"{self.low} and {self.high}"
                raise SchemaError(f"feature {self.name!r}: no multiple of the step {step} lies between {bounds}")

    @property
    def is_binary(self) -> bool:
        """Whether the feature is a number that is 0 or 1."""
        return self.step == self.high == 1.0 and self.low == 0.0

    def has_category(self, category: str) -> bool:
        """Tell whether the feature lists this category, in the same time however many there are."""
        return category in self._category_set

    @property
    def bounds(self) -> tuple[float, float]:
        """The domain of a numeric feature as a closed interval, infinite where unbounded."""
        return (
            -math.inf if self.low is None else self.low,
            math.inf if self.high is None else self.high,
        )


@dataclass(frozen=True, slots=True)
class Target:
    """What numeric actions predict: its name and its unit, each empty if unknown.

    >>> Target("weight", "kg")
    Target(name='weight', unit='kg')
    """

    name: str = ""
    unit: str = ""

    def __post_init__(self) -> None:
        if self.name:
            check_name("target", self.name)
        if self.unit:
            check_name("unit of the target", self.unit)


@dataclass(frozen=True, slots=True)
class Schema:
    """The features, actions and largest lag of a rule set, in a fixed order.

    With a `target`, actions are numbers (see `evoter.rules.numbers.actions`): every number is permitted, and the schema
    of a rule set lists those that occur in it.

    >>> schema = Schema([Feature("angle", low=-0.2, high=0.2)], actions=["Left", "Right"])
    >>> schema.feature("angle").high
    0.2
    """

    features: tuple[Feature, ...]
    actions: tuple[str, ...]
    max_lag: int = 0
    target: Target | None = None
    _positions: dict[str, int] = field(init=False, repr=False, compare=False)

    def __init__(
        self,
        features: Iterable[Feature],
        actions: Iterable[str] = (),
        max_lag: int = 0,
        target: Target | None = None,
    ) -> None:
        object.__setattr__(self, "features", tuple(features))
        object.__setattr__(self, "actions", tuple(actions))
        object.__setattr__(self, "max_lag", max_lag)
        object.__setattr__(self, "target", target)
        if not self.actions and target is None:
            raise SchemaError("a schema needs at least one action")
        for action in self.actions:
            check_name("action", action)
        check_distinct("the schema has the action", self.actions)
        check_distinct("the schema has the feature", [feature.name for feature in self.features])
        if type(max_lag) is not int or not 0 <= max_lag <= MAX_LAG:
            raise SchemaError(f"max_lag must be a whole number from 0 to {MAX_LAG:,}, not {max_lag!r}")
        object.__setattr__(self, "_positions", {feature.name: i for i, feature in enumerate(self.features)})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features, in order."""
        return tuple(feature.name for feature in self.features)

    def __contains__(self, name: object) -> bool:
        return name in self._positions

    def position(self, name: str) -> int:
        """Return the position of the feature called `name`."""
        try:
            return self._positions[name]
        except KeyError:
            raise SchemaError(f"unknown feature {name!r}{did_you_mean(name, self.names)}") from None

    def feature(self, name: str) -> Feature:
        """Return the feature called `name`."""
        return self.features[self.position(name)]

    def with_feature(self, name: str, **changes: object) -> Self:
        """Return a copy in which the feature called `name` has other attributes.

        >>> schema = Schema([Feature("map", low=20, high=180)], actions=["Low", "High"])
        >>> schema.with_feature("map", unit="mmHg").feature("map").unit
        'mmHg'
        """
        position = self.position(name)
        changed = replace(self.features[position], **changes)  # type: ignore[arg-type]
        features = (*self.features[:position], changed, *self.features[position + 1 :])
        return self.over(features)

    def over(self, features: Iterable[Feature], max_lag: int | None = None) -> Self:
        """Return a schema of the same actions over other features, with the same largest lag if none is given."""
        return type(self)(features, self.actions, self.max_lag if max_lag is None else max_lag, self.target)


def is_finite(number: float) -> bool:
    """Tell whether a number (also an integer of any size) lies in the range of finite doubles."""
    return abs(number) <= sys.float_info.max


def check_name(what: str, name: str) -> None:
    """Refuse names that are no text, empty, padded with spaces, over-long or not encodable."""
    if not isinstance(name, str):
        raise SchemaError(f"{what}: a name must be text, not {type(name).__name__} {name!r}")
    if not name or name != name.strip():
        raise SchemaError(f"{what}: a name must not be empty or start or end with a space, got {name!r}")
    if len(name) > MAX_NAME_LENGTH:
        raise SchemaError(f"{what}: a name of {len(name)} characters; at most {MAX_NAME_LENGTH} are allowed")
    if any("\ud800" <= character <= "\udfff" for character in name):
        raise SchemaError(f"{what}: a name must be valid Unicode, got {name!r}")


def check_distinct(what: str, names: Iterable[str]) -> None:
    """Refuse a name that occurs twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise SchemaError(f"{what} {name!r} twice")
        seen.add(name)
