"""Modules under the names that version 0.1 documented: they can still be imported, with a warning."""

import importlib
import sys

import pytest

from evoter.moved_modules import MOVED


@pytest.mark.parametrize("old", MOVED)
def test_old_names_give_the_new_module(old: str) -> None:
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=f"{old} is now {MOVED[old]}"):
        module = importlib.import_module(old)
    assert module is importlib.import_module(MOVED[old])
    assert module.__name__ == MOVED[old]
