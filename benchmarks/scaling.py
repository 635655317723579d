"""The whole loop: generations per second, how its cost grows with rows, and what a second thread gains."""

import hashlib
import threading
import time
from collections import defaultdict
from collections.abc import Callable

from evoter.evolution.engine import Evolution
from evoter.kernels.threads import WORTH_SHARING, Threads
from measure import WALL, Figure, Stopwatch, no_collector, ratios
from workloads import FIRST_MEASURED, SEED, Scale, Workload, activity_recognition, iris, synthetic

ONE_THREAD = Threads(1)


def loop_figures(scale: Scale, preset: str) -> list[Figure]:
    """Count generations per CPU second, from the random population on."""
    return [
        _generations_per_second(iris(), scale, preset, 500.0),
        _generations_per_second(activity_recognition(scale.har_shape), scale, preset, 80.0),
    ]


def _generations_per_second(workload: Workload, scale: Scale, preset: str, target: float) -> Figure:
    watch = Stopwatch()
    for _ in range(scale.n_repeats):
        evolution = workload.evolution(scale.settings(preset))
        with no_collector(), watch:
            for _ in range(scale.n_loop):
                evolution.step()
    rates = tuple(scale.n_loop / seconds for seconds in watch.seconds)
    size = f"{evolution.population.n_rules.mean():.1f} rules at the end"
    note = f"{scale.n_loop} generations; {size}"
    what = f"{workload.shape} ({workload.name})"
    return Figure("the whole loop", what, rates, "generations/s", scale.target(target), note=note)


def row_figures(scale: Scale, preset: str) -> list[Figure]:
    """Let two tables, one ten times as long, evaluate the same children: only the number of rows differs."""
    large = synthetic(scale.more_rows)
    small = large.head(scale.fewer_rows)
    evolution = small.evolution(scale.settings(preset))
    other = large.problem()
    asking, few, many, telling = (Stopwatch() for _ in range(4))
    for _ in range(FIRST_MEASURED + scale.n_generations):
        with no_collector():
            with asking:
                children = evolution.ask()
            with few:
                evaluation = evolution.problem.evaluate(children, ONE_THREAD, 0)
            with many:
                other.evaluate(children, ONE_THREAD, 0)
            with telling:
                evolution.tell(children, evaluation)
    shared = [a + b for a, b in zip(asking.seconds, telling.seconds, strict=True)][FIRST_MEASURED:]
    whole_few = [a + b for a, b in zip(few.seconds[FIRST_MEASURED:], shared, strict=True)]
    whole_many = [a + b for a, b in zip(many.seconds[FIRST_MEASURED:], shared, strict=True)]
    factor = scale.more_rows / scale.fewer_rows
    values = ratios(whole_many, whole_few)
    what = f"{large.shape} against {small.shape}, a generation"
    milliseconds = tuple(1e3 * seconds for seconds in whole_many)
    part = "cost in rows"
    return [
        Figure(part, what, values, "times", scale.target(12.0), at_most=True, note=f"{factor:.0f} times the rows"),
        Figure(part, f"{large.shape}, a generation", milliseconds, "ms"),
        Figure(part, f"{small.shape}, a generation", tuple(1e3 * seconds for seconds in whole_few), "ms"),
    ]


def thread_figures(scale: Scale, preset: str) -> list[Figure]:
    """Run the same evolution on one and on two threads in turn, and check that nothing differs.

    A second core that is busy with something else cannot help, so two more figures accompany the wall-clock time:
    what two threads gain at that moment on work that shares nothing, and what the engine would gain on two idle cores,
    which follows from the CPU time of the busiest thread in all that is shared.
    """
    workload = synthetic(scale.thread_rows)
    settings = scale.settings(preset)
    one, two, control_one, control_two = (Stopwatch(WALL) for _ in range(4))
    work, pieces = Stopwatch(), TimedThreads(2)
    alone = workload.evolution(settings)
    shared = Evolution(workload.problem(), settings, seed=SEED, threads=pieces)
    ideal = []
    for _ in range(FIRST_MEASURED + 2 * scale.n_generations):
        pieces.saved = 0.0
        with no_collector():
            with one:
                alone.step()
            with two, work:
                shared.step()
            ideal.append(work.seconds[-1] / (work.seconds[-1] - pieces.saved))
            with control_one:
                _digest(0, 2)
            with control_two:
                pieces.run(_digest, 2, WORTH_SHARING)
        if alone.evaluation.scores.tobytes() != shared.evaluation.scores.tobytes():
            raise AssertionError(f"generation {alone.generation} differs between one thread and two")
    pieces.close()
    part, what = "threads", f"{workload.shape}: two against one"
    measured = ratios(one.seconds, two.seconds)[FIRST_MEASURED:]
    control = ratios(control_one.seconds, control_two.seconds)[FIRST_MEASURED:]
    return [
        Figure(part, what, measured, "times", scale.target(1.6), note="wall time, on a machine shared with others"),
        Figure(part, "what the machine gave: plain work", control, "times", note="wall time; 2 on an idle machine"),
        Figure(part, f"{what}, on idle cores", tuple(ideal[FIRST_MEASURED:]), "times", note="from CPU time"),
    ]


class TimedThreads(Threads):
    """Threads that add up how much less CPU time the busiest thread takes for each kernel than all of them together."""

    saved = 0.0

    def run(self, kernel: Callable[..., None], n_items: int, work: float, *arguments: object) -> None:
        """Run a kernel and note the CPU time of each thread."""
        busy: dict[int, float] = defaultdict(float)

        def timed(*piece: object) -> None:
            begin = time.thread_time()
            kernel(*piece)
            busy[threading.get_ident()] += time.thread_time() - begin

        super().run(timed, n_items, work, *arguments)
        self.saved += sum(busy.values()) - max(busy.values())


def _digest(first: int, last: int) -> None:
    """Do some work that needs no memory and holds no lock."""
    for _ in range(first, last):
        hashlib.sha256(_PLAIN_WORK).digest()


_PLAIN_WORK = bytes(5_000_000)
