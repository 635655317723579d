"""The time that a proof may take, and messages about its progress."""

from collections.abc import Callable
from time import perf_counter

Progress = Callable[[str], None]

BETWEEN_MESSAGES = 2.0
"""Seconds between messages about progress."""


class Budget:
    """A number of seconds from now on; `progress` is told every two seconds what is being done."""

    def __init__(self, max_seconds: float, progress: Progress | None = None) -> None:
        if not max_seconds > 0.0:
            raise ValueError(f"max_seconds must be a positive number of seconds, not {max_seconds!r}")
        self.started = perf_counter()
        self.ends = self.started + max_seconds
        self.max_seconds = max_seconds
        self.doing = ""
        self._of = ""
        self._since = self.started
        self._progress = progress
        self._told = [self.started]  # shared with the parts

    @property
    def seconds(self) -> float:
        """The seconds that have passed."""
        return perf_counter() - self.started

    @property
    def left(self) -> float:
        """The seconds that are left, 0 or more."""
        return max(0.0, self.ends - perf_counter())

    def part(self, seconds: float, of: str = "") -> "Budget":
        """Return a budget of at most so many of the seconds that are left, for a part of the work."""
        part = Budget(max(1e-9, min(self.left, seconds)), self._progress)
        part._told, part._of, part._since = self._told, of or self._of, self._since
        return part

    def check(self) -> None:
        """Raise TimeoutError if the time is up, and tell about progress now and then."""
        now = perf_counter()
        if now > self.ends:
            raise TimeoutError
        if self._progress is not None and now - self._told[0] > BETWEEN_MESSAGES:
            self._told[0] = now
            doing = ", ".join(each for each in (self._of, self.doing) if each)
            self._progress(f"{doing}: {now - self._since:.0f} s")
