"""Fits in a separate process, for models that can only be stopped by killing the process."""

import multiprocessing
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection

from comparison.records import Record

START_SECONDS = 60
"""Extra seconds for everything but the fit: imports, loading data and predicting."""

Work = Callable[[Record, float], Record]


def measure_apart(work: Work, blank: Record, limit: float) -> Record:
    """Call `work(blank, limit)`, a function of a module, in a new process that is killed when its time runs out."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send_result, args=(work, blank, limit, sender), daemon=True)
    process.start()
    sender.close()
    try:
        if not receiver.poll(limit + START_SECONDS):
            return replace(blank, failure=f"no result in {limit:,.0f} s", seconds=limit)
        record: Record = receiver.recv()
        return record
    except EOFError:
        return replace(blank, failure="its process died", seconds=limit)
    finally:
        process.kill()
        process.join()
        receiver.close()


def _send_result(work: Work, blank: Record, limit: float, sender: Connection) -> None:
    sender.send(work(blank, limit))
