"""Measuring within one run: CPU and wall time, figures with their spread, targets, and how they are shown."""

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.box import SIMPLE_HEAD
from rich.table import Table

Clock = Callable[[], float]

CPU: Clock = time.process_time
"""Seconds that the processor worked for this process, whatever else the machine does."""

WALL: Clock = time.perf_counter
"""Seconds on the wall: for what several threads or processes do together."""


@dataclass(slots=True)
class Stopwatch:
    """Times blocks of code; `no_collector` keeps the garbage collector out of them.

    >>> watch = Stopwatch()
    >>> with watch:
    ...     _ = sum(range(1_000))
    >>> len(watch.seconds)
    1
    """

    clock: Clock = CPU
    seconds: list[float] = field(default_factory=list)
    _begin: float = 0.0

    def __enter__(self) -> None:
        self._begin = self.clock()

    def __exit__(self, *_: object) -> None:
        self.seconds.append(self.clock() - self._begin)


@contextmanager
def no_collector() -> Iterator[None]:
    """Keep the garbage collector from running at a moment that would be measured."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@dataclass(frozen=True, slots=True)
class Figure:
    """Something measured several times; its value is the median.

    A `target` is to be reached, or with `at_most` not to be exceeded.
    """

    part: str
    what: str
    values: tuple[float, ...]
    unit: str
    target: float | None = None
    at_most: bool = False
    note: str = ""

    @property
    def value(self) -> float:
        """The median."""
        return statistics.median(self.values)

    @property
    def quartiles(self) -> tuple[float, float]:
        """Where the middle half of the measurements lies: on a shared machine the noise is part of the figure."""
        if len(self.values) < 2:
            return self.values[0], self.values[0]
        low, _, high = statistics.quantiles(self.values, n=4, method="inclusive")
        return low, high

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None where there is none."""
        if self.target is None:
            return None
        return self.value <= self.target if self.at_most else self.value >= self.target

    def as_dict(self) -> dict[str, object]:
        """Return the figure as plain values."""
        return {
            "part": self.part,
            "what": self.what,
            "median": self.value,
            "quartiles": self.quartiles,
            "unit": self.unit,
            "target": self.target,
            "at_most": self.at_most,
            "met": self.met,
            "n": len(self.values),
            "note": self.note,
        }


def ratios(slow: Sequence[float], fast: Sequence[float]) -> tuple[float, ...]:
    """Divide times pair by pair: each pair was measured on the same work."""
    return tuple(a / b for a, b in zip(slow, fast, strict=True))


def short(value: float) -> str:
    """Write a number with three significant digits.

    >>> short(12345.6), short(12.34), short(0.01234)
    ('12,346', '12.3', '0.0123')
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def results_table(figures: Sequence[Figure], title: str) -> Table:
    """Show figures with their spread, their targets and whether they are met."""
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("what", no_wrap=True)
    for heading in ("median", "middle half", "target", "met"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("note", style="dim")
    part = ""
    for figure in figures:
        if figure.part != part:
            if part:
                table.add_section()
            table.add_row(f"[bold]{figure.part}[/bold]")
            part = figure.part
        low, high = figure.quartiles
        target = "" if figure.target is None else f"{'<=' if figure.at_most else '>='} {short(figure.target)}"
        spread = "" if len(figure.values) == 1 else f"{short(low)} .. {short(high)}"
        met = {None: "", True: "[green]yes[/green]", False: "[red]no[/red]"}[figure.met]
        table.add_row(f"  {figure.what}", f"{short(figure.value)} {figure.unit}", spread, target, met, figure.note)
    return table
