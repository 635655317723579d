"""Workers on a Ray cluster: started, given what they need, and replaced where they die."""

import itertools
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Final

from evoter.execution.errors import ClusterError
from evoter.execution.messages import Outgoing
from evoter.execution.ray_connection import check_versions
from evoter.execution.ray_worker import Worker, versions

MAX_LOSSES: Final = 20
"""How many workers may die during one call before it is given up: work that kills every worker never ends."""


GATHER_SECONDS: Final = 10.0
"""How long the first call waits for workers beyond the first."""


class Held:
    """An object that workers hold, by a key of its own; `make` returns it, when a worker needs it."""

    _keys = itertools.count()

    def __init__(self, make: Callable[[], object]) -> None:
        self.key = next(Held._keys)
        self.make = make


@dataclass(frozen=True)
class Job:
    """A call of a method of a worker, which must hold some objects; it gives the same result on every worker."""

    method: str
    needs: tuple[Held, ...]
    arguments: tuple[Any, ...]


@dataclass(eq=False)
class Member:
    """A worker, what it holds, and the last population that it received; it is not `ready` until it has started."""

    actor: Any
    described: Any
    ready: bool = False
    held: set[int] = field(default_factory=set)
    received: int = -1


class WorkerPool:
    """Runs jobs on workers; those of workers that die are done again by others.

    A worker that cannot be started, for want of machines, is waited for in the background: until it is there, others
    do its share.
    """

    def __init__(
        self,
        ray: ModuleType,
        n_workers: int,
        n_threads: int = 1,
        *,
        start_seconds: float,
        gather_seconds: float = GATHER_SECONDS,
    ) -> None:
        self._ray = ray
        self._start_seconds = start_seconds
        self._gather_seconds = gather_seconds
        self._gathered = False
        self._lost: tuple[type[BaseException], ...] = (
            ray.exceptions.RayActorError,
            ray.exceptions.WorkerCrashedError,
            ray.exceptions.NodeDiedError,
            ray.exceptions.ObjectLostError,
            ray.exceptions.OutOfMemoryError,
        )
        self._n_threads = n_threads
        options = {"num_cpus": n_threads, "max_restarts": 0, "scheduling_strategy": "SPREAD"}
        self._kind = ray.remote(**options)(Worker)
        self.n_workers = n_workers
        self.n_lost = 0
        self._members = [self._start() for _ in range(n_workers)]

    def _start(self) -> Member:
        actor = self._kind.remote(self._n_threads)
        return Member(actor, actor.describe.remote())

    @property
    def processes(self) -> list[int]:
        """The numbers of the processes of the workers that are ready."""
        return [self._ray.get(member.described)[1] for member in self._available()]

    def run(self, jobs: Sequence[Job], population: Outgoing | None = None) -> list[Any]:
        """Run jobs, on a population if there is one, and return their results, in their order."""
        results: dict[int, Any] = {}
        n_lost = 0
        messages: dict[bool, Any] = {}
        self._gather()
        while len(results) < len(jobs):
            members = self._available()
            open_jobs = [number for number in range(len(jobs)) if number not in results]
            assigned = [(number, members[number % len(members)]) for number in open_jobs]
            self._drop(jobs, assigned)
            lost = self._bring(jobs, assigned)
            calls = []
            for number, member in assigned:
                if member not in lost:
                    message = self._message(population, member, messages)
                    method = getattr(member.actor, jobs[number].method)
                    keys = tuple(held.key for held in jobs[number].needs)
                    calls.append((number, member, method.remote(*message, keys, *jobs[number].arguments)))
            found, dead = self._collect(calls)
            results |= found
            n_lost += self._replace([*lost, *dead])
            if n_lost > MAX_LOSSES:
                raise ClusterError(
                    f"{n_lost} workers died while they evaluated one population; the logs of Ray say why, and if it is "
                    "lack of memory, more machines or fewer workers on each (n_workers) help"
                )
        return [results[number] for number in range(len(jobs))]

    def _message(self, population: Outgoing | None, member: Member, messages: dict[bool, Any]) -> tuple[Any, ...]:
        """Return the population as a worker needs it, which is put into the store of objects once for all workers."""
        if population is None:
            return ()
        whole = member.received not in (population.base, population.number)
        if whole not in messages:
            messages[whole] = self._ray.put(population.message(whole=whole))
        member.received = population.number
        return (messages[whole],)

    def _gather(self) -> None:
        """Before rows are handed out, wait a while for all workers: the first to start would get all of them."""
        if self._gathered:
            return
        self._available()
        deadline = time.monotonic() + self._gather_seconds
        while not all(member.ready for member in self._members) and time.monotonic() < deadline:
            waiting = [member.described for member in self._members if not member.ready]
            self._ray.wait(waiting, num_returns=len(waiting), timeout=0.2)
            self._welcome()
        self._gathered = True

    def _drop(self, jobs: Sequence[Job], assigned: Sequence[tuple[int, Member]]) -> None:
        """Let workers forget what they held for a job that another worker has now, so that rows are held once."""
        concerned = {held.key for number, _ in assigned for held in jobs[number].needs}
        for member in dict.fromkeys(member for _, member in assigned):
            needed = {held.key for number, own in assigned if own is member for held in jobs[number].needs}
            for key in sorted(member.held & concerned - needed):
                member.actor.drop.remote(key)
                member.held.discard(key)

    def _collect(self, calls: Sequence[tuple[int, Member, Any]]) -> tuple[dict[int, Any], list[Member]]:
        """Return the results of calls by number, and the workers that died."""
        try:
            # All in one go, which is much cheaper than one by one; an error of a worker itself is raised here.
            answers = self._ray.get([reference for *_, reference in calls])
            return {number: answer for (number, *_), answer in zip(calls, answers, strict=True)}, []
        except self._lost:
            pass
        found, dead = {}, []
        for number, member, reference in calls:
            try:
                found[number] = self._ray.get(reference)
            except self._lost:
                dead.append(member)
        return found, dead

    def _bring(self, jobs: Sequence[Job], assigned: Sequence[tuple[int, Member]]) -> list[Member]:
        """Give workers what their jobs need and they do not hold yet; return those that died of it."""
        sent, lost = [], []
        pickled: dict[int, Any] = {}
        for number, member in assigned:
            for held in jobs[number].needs:
                if held.key not in member.held:
                    if held.key not in pickled:
                        pickled[held.key] = self._ray.put(self._ray.cloudpickle.dumps(held.make()))
                    member.held.add(held.key)
                    sent.append((member, member.actor.hold.remote(held.key, pickled[held.key])))
        for member, reference in sent:
            try:
                self._ray.get(reference)
            except self._lost:
                lost.append(member)
        return lost

    def _replace(self, lost: Sequence[Member]) -> int:
        """Start a new worker for each that died; return how many there were."""
        dead = list(dict.fromkeys(lost))
        for member in dead:
            self._members[self._members.index(member)] = self._start()
        self.n_lost += len(dead)
        if dead:
            # With the number of all, or Python would show the first of equal warnings only.
            so_far = f" ({self.n_lost} so far)" if self.n_lost > len(dead) else ""
            warnings.warn(
                f"{len(dead)} of {self.n_workers} workers died; their work is done again, with the same result{so_far}",
                RuntimeWarning,
                stacklevel=2,
            )
        return len(dead)

    def _available(self) -> list[Member]:
        """Return the workers that are ready; wait for one if none is."""
        deadline = time.monotonic() + self._start_seconds
        while True:
            self._welcome()
            ready = [member for member in self._members if member.ready]
            if ready:
                return ready
            if time.monotonic() > deadline:
                raise ClusterError(
                    f"no worker has started within {self._start_seconds:g} seconds; see with `ray status` whether the "
                    f"cluster has a machine with {self._n_threads} free processor(s), and install evoter on all of them"
                )
            waiting = [member.described for member in self._members]
            self._ray.wait(waiting, num_returns=1, timeout=1.0)

    def _welcome(self) -> None:
        """Note which workers have started, and check that they run the same software."""
        for number, member in enumerate(self._members):
            if member.ready or not self._ray.wait([member.described], timeout=0)[0]:
                continue
            try:
                theirs, process = self._ray.get(member.described)
            except self._lost:
                self._members[number] = self._start()
                continue
            check_versions(versions(), theirs, f"process {process}")
            member.ready = True

    def close(self) -> None:
        """End the workers."""
        for member in self._members:
            self._ray.kill(member.actor)
        self._members = []
