"""Evolution in the background: a run that can be paused, resumed and stopped, and whose front can be picked from."""

import math
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from threading import Condition, Thread
from typing import Any, Final

from evoter.estimators.classifier import EvoterClassifier
from evoter.evolution.engine import Evolution
from evoter.evolution.fronts.front import Front
from evoter.evolution.history import Record
from evoter.rules.model import RuleSet
from evoter.studio.errors import StudioError
from evoter.studio.session.events import Events

TELL_SECONDS: Final = 0.2
"""The least time between two events of a run."""

FRONT_SECONDS: Final = 1.0
"""The least time between two looks at the front: its rule sets are pruned and simplified each time."""

MAX_HISTORY: Final = 2_000
"""The most generations of the history that are sent at once; of longer runs, every second or third one."""


class RunState(StrEnum):
    """What a run is doing."""

    IDLE = "idle"
    PREPARING = "preparing"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"
    FINISHED = "finished"
    FAILED = "failed"

    @property
    def is_under_way(self) -> bool:
        """Whether a run has begun and not ended."""
        return self in (RunState.PREPARING, RunState.RUNNING, RunState.PAUSED, RunState.STOPPING)


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a person chooses for a run; None is the default of the classifier."""

    generations: int | None = None
    seconds: float | None = None
    population: int | None = None
    max_rules: int | None = None
    max_conditions: int | None = None
    balanced: bool = False
    seed: int = 0
    limits: Mapping[str, float] = field(default_factory=dict)
    from_head: bool = False

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the classifier; accuracy is traded off against size."""
        given: dict[str, Any] = {
            "objectives": ["accuracy", "complexity"],
            "generations": self.generations,
            "max_seconds": self.seconds,
            "population_size": self.population,
            "max_rules": self.max_rules,
            "max_conditions": self.max_conditions,
            "class_weight": "balanced" if self.balanced else None,
            "constraints": dict(self.limits) or None,
            "random_state": self.seed,
        }
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True, slots=True)
class TrainingData:
    """What rules are evolved from: training rows, labels, protected values, and parameters that follow from these."""

    frame: Any
    labels: Sequence[str]
    protected: Mapping[str, Sequence[Any]]
    parameters: Mapping[str, Any]


Figures = Callable[[RuleSet], dict[str, Any]]
"""Says how accurate a candidate is on training and validation rows."""


class EvolutionRun:
    """One run after another; a new one takes the place of that before it."""

    def __init__(self, events: Events, figures: Figures) -> None:
        self._events = events
        self._figures = figures
        self._condition = Condition()
        self._state = RunState.IDLE
        self._settings = RunSettings()
        self._progress = 0.0
        self._records: list[Record] = []
        self._front: list[dict[str, Any]] = []
        self._rulesets: list[RuleSet] = []
        self._message = ""
        self._stop_reason = ""
        self._told = self._looked = 0.0
        self._thread: Thread | None = None

    @property
    def state(self) -> RunState:
        """What the run is doing."""
        return self._state

    def start(self, settings: RunSettings, data: TrainingData) -> None:
        """Begin a run; refuse a second one at the same time."""
        with self._condition:
            if self._state.is_under_way:
                raise StudioError("running", "rules are being evolved already", "stop that run first")
            self._state, self._settings = RunState.PREPARING, settings
            self._progress, self._records, self._message, self._stop_reason = 0.0, [], "", ""
            self._front, self._rulesets = [], []
            self._thread = Thread(target=self._run, args=(settings, data), name="evoter studio run", daemon=True)
            self._thread.start()
        self._tell(front=True)

    def pause(self) -> None:
        """Let the run wait after its generation, and look at its front."""
        self._ask(RunState.PAUSED, RunState.RUNNING, RunState.PREPARING)

    def resume(self) -> None:
        """Let the run go on."""
        self._ask(RunState.RUNNING, RunState.PAUSED)

    def stop(self) -> None:
        """End the run after its generation and keep what it has found."""
        self._ask(RunState.STOPPING, RunState.RUNNING, RunState.PAUSED, RunState.PREPARING)

    def candidate(self, number: int) -> RuleSet:
        """Return a rule set of the front."""
        with self._condition:
            if self._state not in (RunState.PAUSED, RunState.FINISHED):
                raise StudioError("running", "the front is still changing", "pause the run, or wait for its end")
            if not 0 <= number < len(self._rulesets):
                raise StudioError("unknown", f"the front has no candidate {number}")
            return self._rulesets[number]

    def to_dict(self) -> dict[str, Any]:
        """Return everything about the run, ready for JSON."""
        with self._condition:
            every = 1 + len(self._records) // MAX_HISTORY
            shown = self._records[::every]
            if self._records and shown[-1] is not self._records[-1]:
                shown.append(self._records[-1])
            return self._status() | {
                "settings": asdict(self._settings) | {"limits": dict(self._settings.limits)},
                "history": [_record(each) for each in shown],
                "front": list(self._front),
                "can_pick": self._state in (RunState.PAUSED, RunState.FINISHED) and bool(self._rulesets),
                "stop_reason": self._stop_reason,
            }

    def close(self) -> None:
        """End a run that is under way."""
        with self._condition:
            if self._state.is_under_way:
                self._state = RunState.STOPPING
                self._condition.notify_all()
        if self._thread is not None:
            self._thread.join(timeout=10.0)

    def _ask(self, state: RunState, *allowed: RunState) -> None:
        with self._condition:
            if self._state not in allowed:
                raise StudioError("running", f"the run is {self._state}", f"it must be {' or '.join(allowed)}")
            self._state = state
            self._condition.notify_all()
        self._tell(front=False)

    def _run(self, settings: RunSettings, data: TrainingData) -> None:
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                parameters = settings.parameters() | dict(data.parameters)
                model = EvoterClassifier(**parameters, watchers=[self._watch], n_jobs=1)
                model.fit(data.frame, list(data.labels), protected=dict(data.protected) if settings.limits else None)
            messages = dict.fromkeys(str(each.message) for each in caught)
            self._look(model.front_)
            with self._condition:
                self._state, self._progress = RunState.FINISHED, 1.0
                self._message, self._stop_reason = "; ".join(messages), model.stop_reason_
        except Exception as error:  # whatever it is, the page must learn of it
            with self._condition:
                self._state, self._message = RunState.FAILED, str(error) or type(error).__name__
        self._tell(front=True)

    def _watch(self, evolution: Evolution, progress: float) -> bool:
        """Take note of a generation; wait while the run is paused, and end it if somebody stops it."""
        now = time.perf_counter()
        with self._condition:
            if self._state is RunState.PREPARING:
                self._state = RunState.RUNNING
            self._records.append(evolution.history.last)
            self._progress = progress
            paused = self._state is RunState.PAUSED
        look = paused or now - self._looked > FRONT_SECONDS
        if look:
            self._looked = now
            self._look(evolution.result("running").front)
        if look or now - self._told > TELL_SECONDS:
            self._told = now
            self._tell(front=look)
        with self._condition:
            self._condition.wait_for(lambda: self._state is not RunState.PAUSED)
            return self._state is RunState.STOPPING

    def _look(self, front: Front | None) -> None:
        found = [(each, self._figures(each.ruleset)) for each in front or ()]
        points = [
            {
                "number": number,
                "conditions": candidate.n_conditions,
                "rules": candidate.n_rules,
                "text": candidate.ruleset.to_text(declarations=False),
            }
            | figures
            for number, (candidate, figures) in enumerate(found)
        ]
        with self._condition:
            self._front = points
            self._rulesets = [candidate.ruleset for candidate, _ in found]

    def _status(self) -> dict[str, Any]:
        last = self._records[-1] if self._records else None
        return {
            "state": str(self._state),
            "progress": self._progress,
            "generation": None if last is None else last.generation,
            "message": self._message,
        }

    def _tell(self, *, front: bool) -> None:
        with self._condition:
            status = self._status() | {
                "record": _record(self._records[-1]) if self._records else None,
                "front": list(self._front) if front else None,
            }
        self._events.tell("evolution", status)


def _record(record: Record) -> dict[str, Any]:
    fields = asdict(record)
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in fields.items()
    }
