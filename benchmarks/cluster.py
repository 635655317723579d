"""Ray workers: what a second one gains, what a generation costs beside the work itself, and what 64 would gain.

Run `python benchmarks/cluster.py` (about ten minutes and 8 GB on two cores), or with `--quick` on a small table. Two
workers are compared with one on the same children in the same run. Work is measured in CPU seconds of the workers, so
that it does not matter what else the machine does; what cannot be measured so is wall-clock time, and says so. The
last table is a calculation from these measurements, for machines that nobody has tried.
"""

import argparse
import copy
import logging
import os
import statistics
import sys
import time
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from evoter.evolution.engine import Evolution
from evoter.evolution.executor import ThreadExecutor
from evoter.evolution.settings import DEFAULT
from evoter.evolution.sharding import SHARD_ROWS, Shards, Tally, add_up, shard_bounds
from evoter.execution.messages import PopulationMessage, Sender, dense
from evoter.execution.ray_connection import import_ray
from evoter.execution.ray_pool import Held, Job, WorkerPool
from evoter.kernels.layout import Population
from evoter.kernels.threads import Threads
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.mask_cache import MASK_BUDGET
from evoter.rules.schema import Feature, Schema
from measure import WALL, Figure, Stopwatch, ratios, results_table

POPULATION = 1_000
BANDWIDTH = 1.25e9
"""Bytes per second between machines in the calculation: a network of 10 Gbit/s."""

WORKERS_PER_MACHINE = 8
"""Processors of a machine in the calculation: a population is sent once to each machine."""

N_CALLS = 9
"""Calls of one worker, to tell what a call costs the driver from what a population costs it."""

FIRST_MEASURED = 8
"""Generations before the first that is measured: at first nearly all antecedents are new, later few are."""


@dataclass
class Timed:
    """Shards whose tallies begin with the microseconds they took, of CPU and by the clock, and the memory in bytes."""

    shards: Shards

    @property
    def n_shards(self) -> int:
        """The number of shards."""
        return self.shards.n_shards

    def count(self, population: Population, threads: Threads) -> Tally:
        """Count, and measure it."""
        begin, begin_clock = time.process_time(), time.perf_counter()
        tally = self.shards.count(population, threads)
        micros = round(1e6 * (time.process_time() - begin)), round(1e6 * (time.perf_counter() - begin_clock))
        return Tally((np.array([*micros, own_memory()]), *tally.counts), tally.sums)


def own_memory() -> int:
    """Return the bytes in memory that no other process shares, on Linux."""
    _, resident, shared, *_ = Path("/proc/self/statm").read_text(encoding="ascii").split()
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")


class Team:
    """A pool of workers that hold a table among them, each called `n_calls` times; notes what each call took."""

    def __init__(
        self, ray: Any, problem: ClassificationProblem, n_workers: int, n_calls: int = 1, n_threads: int = 1
    ) -> None:
        shards = problem.shards
        assert shards is not None
        self._n_calls = n_calls
        self.pool = WorkerPool(ray, n_workers, n_threads, start_seconds=120)
        bounds = shard_bounds(shards.n_shards, n_workers)
        self._held = [Held(lambda a=a, b=b: Timed(shards.take(a, b))) for a, b in bounds]  # type: ignore[misc]
        self._sender = Sender()
        self.wall, self.cpu = Stopwatch(WALL), Stopwatch()
        self.busiest: list[float] = []
        self.longest: list[float] = []
        self.memory: list[int] = []
        self.sent: list[int] = []
        self.received: list[int] = []

    def count(self, population: Population) -> Tally:
        """Count on all workers, and add up."""
        if not self.wall.seconds:
            self._wait_for_all()
        outgoing = self._sender.send(population)
        jobs = [Job("count", (held,), (slice(0, population.size),)) for held in self._held]
        jobs *= self._n_calls
        with self.wall, self.cpu:
            answers = self.pool.run(jobs, outgoing)
            tallies = [Tally(tuple(map(dense, counts)), tuple(map(dense, sums))) for counts, sums in answers]
            measured = [tally.counts[0] for tally in tallies]
            total = add_up(Tally(tally.counts[1:], tally.sums) for tally in tallies)
        self.busiest.append(max(int(each[0]) for each in measured) / 1e6)
        self.longest.append(max(int(each[1]) for each in measured) / 1e6)
        self.memory = [int(each[2]) for each in measured]
        self.sent.append(_bytes_of(outgoing.message(whole=False)))
        self.received.append(sum(each.nbytes for part in answers[0] for packed in part for each in packed[1:]))
        return total

    def _wait_for_all(self) -> None:
        """Wait for every worker, and refuse to measure fewer."""
        deadline = time.monotonic() + 120
        while len(self.pool.processes) < self.pool.n_workers:
            if time.monotonic() > deadline:
                raise RuntimeError(f"{len(self.pool.processes)} of {self.pool.n_workers} workers have started")
            time.sleep(0.1)


def _bytes_of(message: PopulationMessage) -> int:
    packed = (*message.codes[1:], *message.numbers[1:])
    return sum(part.nbytes for part in (*message, *packed) if isinstance(part, np.ndarray))


def table(n_rows: int, n_features: int) -> ClassificationProblem:
    """Return a task with classes that depend on four of its features, and noise."""
    rng = np.random.default_rng(0)
    columns = np.array([rng.normal(size=n_rows).round(2) for _ in range(n_features)])
    classes = (columns[0] > 0.3) & (columns[1] < 0.5) | (columns[2] + columns[3] > 1)
    classes ^= rng.random(n_rows) < 0.1
    schema = Schema([Feature(f"x{k}", low=-6, high=6) for k in range(n_features)], ["no", "yes"])
    return ClassificationProblem(schema, columns, classes.astype(np.int64))


def with_masks(problem: ClassificationProblem, budget: int) -> ClassificationProblem:
    """Return a problem on the same rows with another budget for masks."""
    shards = problem.shards
    assert shards is not None
    other = copy.copy(problem)
    other._all_shards = shards.with_budget(budget)
    return other


def _plain_work(n: int) -> float:
    begin = time.perf_counter()
    total = 0
    for k in range(n):
        total += k & 7
    return time.perf_counter() - begin


def machine_gives(n: int) -> float:
    """Return what two processes gain over one on plain work at this moment: 2 where both cores are free."""
    pool = get_context("fork").Pool(2)
    one = pool.map(_plain_work, [n])[0]
    begin = time.perf_counter()
    pool.map(_plain_work, [n, n], chunksize=1)
    both = time.perf_counter() - begin
    pool.close()
    pool.join()
    return 2 * one / both


def two_against_one(
    ray: Any, n_rows: int, n_features: int, n_generations: int
) -> tuple[list[Figure], dict[str, float]]:
    """Let two workers, and one, count what the same children do."""
    problem = table(n_rows, n_features)
    settings = DEFAULT.replace(population_size=POPULATION, n_refined=0, max_rules=32)
    evolution = Evolution(problem, settings, seed=1)
    one, two = Team(ray, with_masks(problem, 2 * MASK_BUDGET), 1), Team(ray, problem, 2)
    threads = Team(ray, with_masks(problem, 2 * MASK_BUDGET), 1, n_threads=2)
    teams = (one, two, threads)
    breeding = Stopwatch()
    given = []
    for generation in range(FIRST_MEASURED + n_generations):
        with breeding:
            children = evolution.ask()
        tallies = [team.count(children) for team in teams]
        for each in tallies[1:]:
            assert all(np.array_equal(a, b) for a, b in zip(tallies[0].sums, each.sums, strict=True))
        with breeding:
            evolution.tell(children, problem.evaluation(children, tallies[0], Threads(1)))
        if generation >= FIRST_MEASURED:
            given.append(machine_gives(2_000_000))
    kept = slice(FIRST_MEASURED, None)
    what = f"{n_rows:,} x {n_features}, population {POPULATION:,}"
    note = "largest CPU time of a worker; the one has twice the memory for masks of each of the two"
    part, budget = "two workers against one", round(2 * MASK_BUDGET / 1e6)
    figures = [
        Figure(part, f"{what}: work", ratios(one.busiest[kept], two.busiest[kept]), "times", 1.7, note=note),
        Figure(part, "the same by the clock", ratios(one.wall.seconds[kept], two.wall.seconds[kept]), "times"),
        Figure(
            part,
            "one worker of two threads, by the clock",
            ratios(one.wall.seconds[kept], threads.wall.seconds[kept]),
            "times",
        ),
        Figure(part, "plain work in two processes, by the clock", tuple(given), "times", note="what the machine gave"),
        Figure(part, "work of one worker", tuple(1e3 * each for each in one.busiest[kept]), "ms CPU"),
        Figure(part, "work of one of two threads", tuple(1e3 * each for each in threads.busiest[kept]), "ms CPU"),
        Figure(
            "where the time of two workers goes",
            "clock over CPU of the slower worker",
            ratios(two.longest[kept], two.busiest[kept]),
            "times",
            note="1 where each has a core to itself",
        ),
        Figure(
            "where the time of two workers goes",
            "by the clock, outside the slower worker",
            tuple(1e3 * (a - b) for a, b in zip(two.wall.seconds[kept], two.longest[kept], strict=True)),
            "ms",
            note="messages, waiting, adding up",
        ),
        Figure(
            "memory of a worker", "with all rows", (one.memory[0] / 1e6,), "MB", note=f"up to {budget} MB are masks"
        ),
        Figure("memory of a worker", "with half of them", (max(two.memory) / 1e6,), "MB", note="half of that are"),
        Figure("messages", "a population", tuple(each / 1e3 for each in two.sent[kept]), "KB"),
        Figure("messages", "what a worker answers", tuple(each / 1e3 for each in two.received[kept]), "KB"),
    ]
    measured = {
        "work": statistics.median(one.busiest[kept]),
        "threads": statistics.median(ratios(threads.busiest[kept], one.busiest[kept])),
        "breeding": statistics.median(
            a + b for a, b in zip(breeding.seconds[::2], breeding.seconds[1::2], strict=True)
        ),
        "sent": statistics.median(two.sent[kept]),
        "received": statistics.median(two.received[kept]),
        "shards": -(-n_rows // SHARD_ROWS),
    }
    for team in teams:
        team.pool.close()
    return figures, measured


def overhead(ray: Any, n_generations: int) -> tuple[list[Figure], dict[str, float]]:
    """Measure a generation whose work is next to nothing, beside the same in this process, and with more calls."""
    problem = table(640, 4)
    settings = DEFAULT.replace(population_size=POPULATION, n_refined=0, max_rules=32)
    evolution = Evolution(problem, settings, seed=1)
    team, busy, here = Team(ray, problem, 1), Team(ray, problem, 1, N_CALLS), Stopwatch(WALL)
    threads = ThreadExecutor()
    for _ in range(FIRST_MEASURED + n_generations):
        children = evolution.ask()
        with here:
            evaluation = threads.evaluate(problem, children, 0)
        team.count(children)
        busy.count(children)
        evolution.tell(children, evaluation)
    kept = slice(FIRST_MEASURED, None)
    more = tuple(1e3 * (a - b) for a, b in zip(team.wall.seconds[kept], here.seconds[kept], strict=True))
    figures = [
        Figure("overhead of a generation", f"population {POPULATION:,}, by the clock", more, "ms", 10, at_most=True),
        Figure(
            "overhead of a generation", "the driver's part", tuple(1e3 * s for s in team.cpu.seconds[kept]), "ms CPU"
        ),
    ]
    calls = tuple((many - one) / (N_CALLS - 1) for many, one in zip(busy.cpu.seconds, team.cpu.seconds, strict=True))[
        kept
    ]
    figures.append(Figure("overhead of a generation", "of that for each worker", tuple(1e3 * s for s in calls), "ms"))
    team.pool.close()
    busy.pool.close()
    call = statistics.median(calls)
    driver = statistics.median(team.cpu.seconds[kept]) - call
    return figures, {"call": call, "driver": driver, "latency": statistics.median(more) / 1e3 - driver - call}


def calculated(measured: dict[str, float], n_threads: int) -> list[str]:
    """Return lines of a table: what a generation would take on more processors, and what takes longest."""
    heading = f"{'processors':>11} {'generation':>12} {'gain':>6} {'efficiency':>11}   longest part"
    lines = [f"workers of up to {n_threads} threads:", heading]
    first = 0.0
    for n in (1, 2, 4, 8, 16, 32, 64):
        machines = -(-n // WORKERS_PER_MACHINE)
        n_workers = max(1, n // n_threads)
        of_workers = -(-measured["shards"] // n_workers) / measured["shards"]
        each = min(n, n_threads)
        parts = {
            "counting on the workers": measured["work"]
            * of_workers
            * (measured["threads"] if each > 1 else 1.0)
            / each,
            "breeding on the driver": measured["breeding"],
            "sending on the driver": measured["driver"],
            "calls and adding up on the driver": measured["call"] * n_workers,
            "messages": (measured["sent"] * machines + measured["received"] * n_workers) / BANDWIDTH,
            "waiting for answers": measured["latency"],
        }
        whole = sum(parts.values())
        first = first or whole
        longest = max(parts, key=lambda name: parts[name])
        lines.append(f"{n:>11} {1e3 * whole:>9.1f} ms {first / whole:>6.1f} {first / whole / n:>10.0%}   {longest}")
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small table: does it run?")
    parser.add_argument("--rows", type=int, default=2_000_000, help="rows of the large table")
    parser.add_argument("--features", type=int, default=50, help="features of the large table")
    chosen = parser.parse_args()
    quick = chosen.quick
    # A slot for each worker of both teams: otherwise one worker would do the work of two, and be taken for them.
    ray = import_ray()
    ray.init("local", num_cpus=6, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    shape = (200_000, 10, 3) if quick else (chosen.rows, chosen.features, 5)
    figures, measured = two_against_one(ray, *shape)
    more, costs = overhead(ray, 10 if quick else 60)
    console = Console(width=180, file=sys.stdout)
    load = f"load {os.getloadavg()[0]:.1f}"
    console.print(results_table([*more, *figures], f"medians; CPU time unless a line says otherwise; {load}"))
    console.print(
        f"calculated for a network of {BANDWIDTH / 1.25e8:.0f} Gbit/s and {WORKERS_PER_MACHINE} processors a machine:"
    )
    for n_threads in (1, WORKERS_PER_MACHINE):
        console.print("\n".join(calculated({**measured, **costs}, n_threads)))
    ray.shutdown()


if __name__ == "__main__":
    main()
