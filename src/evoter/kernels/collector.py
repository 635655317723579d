"""The garbage collector, while much is made that stays: it would go through all of it again and again, for nothing."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_pauses() -> Iterator[None]:
    """Let the collector pause, and begin again where it was on."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def importing() -> Iterator[None]:
    """Import modules without collections, and treat what they have made as old.

    Otherwise, the tens of thousands of objects of a large library make the next collection go through everything.
    Old objects can be collected as before. Where somebody has frozen objects, they stay frozen, and ours stay young.
    """
    with collector_pauses():
        yield
        if gc.get_freeze_count() == 0:
            gc.freeze()
            gc.unfreeze()  # to the oldest generation
