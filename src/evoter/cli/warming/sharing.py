"""What a search needs is compiled by two processes, and the bar shows how far they are."""

from collections.abc import Iterator
from contextlib import contextmanager

from evoter.cli.warming.bar import CompilationBar


@contextmanager
def compiling_together(*, limited: bool, progress: bool) -> Iterator[None]:
    """Compile the kernels of the first generation, where that is due, and let another process compile its share.

    A search in this context begins while other kernels are still being compiled. One that is `limited` in time begins
    when all are there.
    """
    from evoter.problems.warming import (
        FIRST_SECONDS,
        SECONDS,
        kernels_are_cold,
        second_process,
        warm_up,
        warm_up_first_generation,
    )
    from evoter.rules.model import Mode

    if not kernels_are_cold():
        yield
        return
    with second_process():
        with CompilationBar(SECONDS if limited else FIRST_SECONDS, shown=progress):
            if limited:
                warm_up(Mode.FIRST)
            else:
                warm_up_first_generation()
        yield
