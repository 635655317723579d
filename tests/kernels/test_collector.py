"""The garbage collector pauses where it is told to, and is left as it was."""

import gc
import weakref
from collections.abc import Iterator
from contextlib import suppress

import pytest

from evoter.kernels.collector import collector_pauses, importing


class Cycle:
    """An object that only the collector can free."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.enable()


def test_the_collector_pauses_and_begins_again_even_after_an_error() -> None:
    on = [gc.isenabled()]
    with suppress(ZeroDivisionError), collector_pauses():
        on.append(gc.isenabled())
        _ = 1 / 0
    assert [*on, gc.isenabled()] == [True, False, True]


def test_a_collector_that_is_off_stays_off() -> None:
    gc.disable()
    with collector_pauses(), importing():
        pass
    assert not gc.isenabled()


def test_what_imports_make_is_old_but_can_be_collected() -> None:
    with importing():
        made = Cycle()
    assert any(each is made for each in gc.get_objects(2))
    assert gc.get_freeze_count() == 0
    seen = weakref.ref(made)
    del made
    gc.collect()
    assert seen() is None


def test_frozen_objects_stay_frozen() -> None:
    gc.freeze()
    n = gc.get_freeze_count()
    with importing():
        pass
    assert gc.get_freeze_count() == n > 0
