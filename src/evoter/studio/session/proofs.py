"""Proofs that run behind the edits: one at a time in a thread of their own, the most urgent first."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count
from threading import Condition, Thread
from typing import Any, Final

from evoter.proofs.result import Point, ProofResult, point_text
from evoter.studio.session.events import Events

EDIT, QUESTION, GUARDRAIL = range(3)
"""How urgent a proof is: what somebody waits for comes first."""

EDIT_SECONDS: Final = 5.0
QUESTION_SECONDS: Final = 20.0
GUARDRAIL_SECONDS: Final = 10.0

N_KEPT: Final = 500
"""How many proofs are remembered."""

RUNNING, SUPERSEDED = "running", "superseded"

Work = Callable[[], ProofResult]


@dataclass(frozen=True, slots=True)
class Proof:
    """A claim with what is known about it: `result` is None while it is being settled."""

    number: int
    claim: str
    result: ProofResult | None = None
    superseded: bool = False

    @property
    def state(self) -> str:
        """What is known, which is running, superseded, proved, refuted or unknown."""
        if self.result is not None:
            return str(self.result.status)
        return SUPERSEDED if self.superseded else RUNNING

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        found = self.result
        return {
            "id": self.number,
            "state": self.state,
            "claim": self.claim,
            "text": self._text(),
            "counterexample": None if found is None else _values(found.counterexample),
            "compared_with": None if found is None else _values(found.compared_with),
            "decisions": [] if found is None else [list(each) for each in found.decisions],
            "reason": "" if found is None else found.reason,
            "seconds": None if found is None else found.seconds,
            "method": None if found is None else found.method,
            "exact": None if found is None else found.exact,
        }

    def _text(self) -> str:
        found = self.result
        if found is None:
            return f"{self.claim}: {'not looked at, because of a later edit' if self.superseded else 'being proved'}"
        if found.proved:
            return f"proved: {self.claim}" + (f" ({found.reason})" if found.reason else "")
        if found.counterexample is None:
            return f"{found.status}: {self.claim}" + (f" ({found.reason})" if found.reason else "")
        decided = " and ".join(" + ".join(actions) for actions in found.decisions)
        return f"not so: for {point_text(found.counterexample)} the decisions are {decided}"


@dataclass(order=True)
class _Job:
    urgency: int
    number: int
    work: Work = field(compare=False)
    slot: str = field(compare=False)


class ProofQueue:
    """Settles claims in a thread; z3 is not made for several threads, so that there is one.

    A claim with the same `key` is settled once. A claim for a `slot` supersedes those that wait for it: while somebody
    moves a slider, only the last position matters.
    """

    def __init__(self, events: Events) -> None:
        self._events = events
        self._jobs: list[_Job] = []
        self._proofs: OrderedDict[int, Proof] = OrderedDict()
        self._keys: dict[object, int] = {}
        self._numbers = count(1)
        self._condition = Condition()
        self._ended = False
        self._thread: Thread | None = None

    def ask(self, claim: str, work: Work, *, key: object, urgency: int, slot: str = "") -> Proof:
        """Return the proof of a claim, which may still be running."""
        with self._condition:
            known = self._proofs.get(self._keys.get(key, 0))
            if known is not None and not known.superseded:
                return known
            number = next(self._numbers)
            proof = self._proofs[number] = Proof(number, claim)
            self._keys[key] = number
            superseded = [job for job in self._jobs if slot and job.slot == slot]
            for job in superseded:
                self._jobs.remove(job)
                self._proofs[job.number] = replace(self._proofs[job.number], superseded=True)
            self._jobs.sort()
            heappush(self._jobs, _Job(urgency, number, work, slot))
            self._forget()
            if self._thread is None:
                self._thread = Thread(target=self._run, name="evoter studio proofs", daemon=True)
                self._thread.start()
            self._condition.notify_all()
            return proof

    def settled(self, claim: str, result: ProofResult) -> Proof:
        """Return a claim that needs no work, as one that was asked."""
        with self._condition:
            number = next(self._numbers)
            proof = self._proofs[number] = Proof(number, claim, result)
            self._forget()
            return proof

    def get(self, number: int) -> Proof | None:
        """Return a proof by its number; None if there is none, or if it was long ago."""
        with self._condition:
            return self._proofs.get(number)

    def wait(self, proof: Proof, seconds: float) -> Proof:
        """Return a proof when it is settled, or as it is after some seconds."""
        with self._condition:
            self._condition.wait_for(lambda: self._ended or self._proofs[proof.number].state != RUNNING, seconds)
            return self._proofs[proof.number]

    def close(self) -> None:
        """End the thread after the proof under way."""
        with self._condition:
            self._ended = True
            self._jobs.clear()
            self._condition.notify_all()
        if self._thread is not None:
            self._thread.join(timeout=1.0)

    def _forget(self) -> None:
        while len(self._proofs) > N_KEPT:
            number, proof = next(iter(self._proofs.items()))
            if proof.state == RUNNING:
                break
            del self._proofs[number]
        if len(self._keys) > 2 * N_KEPT:
            self._keys = {key: number for key, number in self._keys.items() if number in self._proofs}

    def _run(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._jobs or self._ended)
                if self._ended:
                    return
                job = heappop(self._jobs)
            result = job.work()
            with self._condition:
                proof = self._proofs[job.number] = replace(self._proofs[job.number], result=result)
                self._condition.notify_all()
            self._events.tell("proof", proof.to_dict())


def _values(point: Point | None) -> dict[str, Any] | None:
    if point is None:
        return None
    return {name: list(value) if isinstance(value, tuple) else value for name, value in point.items()}
