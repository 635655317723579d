"""The answer to a question about rule sets: proved, refuted with a counterexample, or unknown with the reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from evoter.rules.printing.pieces import number_text
from evoter.rules.values import Row, Value

Method = Literal["form", "intervals", "samples", "solver"]
"""What settled a claim: the form of the rules as they are written, interval logic, points at random, or z3."""

Point = Mapping[str, Value | tuple[Value, ...]]
"""A value for each feature that rules read; where rules look back, the values from the oldest to the present one."""


class Status(StrEnum):
    """What is known about a claim."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ProofResult:
    """What is known about a claim, and how it was found out; true in a test of truth only if the claim is proved.

    A `counterexample` has been checked by deciding on it with the rules. `compared_with` is a second point where the
    claim is about two. `decisions` are the actions there, of each rule set or at each of the points. `reason` says why
    nothing is known, or what a proof or a counterexample depends on. `exact` tells that a proof covers rounding in
    double precision; otherwise it is a proof for real numbers, and `reason` says so.
    """

    claim: str
    status: Status
    counterexample: Point | None = None
    compared_with: Point | None = None
    decisions: tuple[tuple[str, ...], ...] = ()
    reason: str = ""
    seconds: float = 0.0
    method: Method = "intervals"
    exact: bool = True

    @property
    def proved(self) -> bool:
        """Whether the claim holds."""
        return self.status is Status.PROVED

    @property
    def refuted(self) -> bool:
        """Whether the claim does not hold."""
        return self.status is Status.REFUTED

    @property
    def history(self) -> list[Row]:
        """The counterexample as rows in time order, as `evoter.rules.interpreter.decide_now` takes them."""
        return rows_of(self.counterexample or {})

    @property
    def second_history(self) -> list[Row]:
        """The second of two points that are compared, as rows in time order."""
        return rows_of(self.compared_with or {})

    def __bool__(self) -> bool:
        return self.proved

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        said = f"{self.status}: {self.claim}"
        if self.counterexample is not None:
            said += f"; not for {point_text(self.counterexample)}"
            if self.compared_with is not None:
                changed = {
                    name: value for name, value in self.compared_with.items() if value != self.counterexample[name]
                }
                said += f" and {point_text(changed)}"
            said += f", decided {' and '.join(' + '.join(actions) for actions in self.decisions)}"
        if self.reason:
            said += f" ({self.reason})"
        return said


def rows_of(point: Point) -> list[Row]:
    """Return the rows of a point in time order."""
    length = max((len(value) for value in point.values() if isinstance(value, tuple)), default=1)
    return [
        {name: value[at] if isinstance(value, tuple) else value for name, value in point.items()}
        for at in range(length)
    ]


def point_of(rows: Sequence[Row]) -> Point:
    """Return rows in time order as one point.

    >>> point_of([{"x": 1.0}, {"x": 2.0}]), point_of([{"x": 1.0}])
    ({'x': (1.0, 2.0)}, {'x': 1.0})
    """
    if len(rows) == 1:
        return dict(rows[0])
    return {name: tuple(row[name] for row in rows) for name in rows[0]}


def point_text(point: Point) -> str:
    """Print a point.

    >>> point_text({"age": 17.0, "ward": "A", "pressure": (80.0, None)})
    'age = 17, ward = A, pressure = 80 then missing'
    """
    return ", ".join(f"{name} = {value_text(value)}" for name, value in point.items()) or "any values"


def value_text(value: Value | tuple[Value, ...]) -> str:
    """Print a value, or several in time order."""
    if isinstance(value, tuple):
        return " then ".join(map(value_text, value))
    if value is None:
        return "missing"
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value) if isinstance(value, float) else str(value)
