"""Failing calls of the operating system: each one that writes, in turn."""

import os
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

OPERATIONS = ("open", "write", "fsync", "replace")


def failing_at(number: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Let the call with this number among all that write fail, as on a full disk; return the calls made so far."""
    calls: list[str] = []

    def wrapped(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            calls.append(name)
            if len(calls) - 1 == number:
                raise OSError(28, "No space left on device")
            return original(*arguments, **options)

        return call

    for name in OPERATIONS:
        monkeypatch.setattr(os, name, wrapped(name, getattr(os, name)))
    return calls


def faults(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Yield once for each writing call that can fail, until the work needs fewer calls."""
    for number in count():
        with monkeypatch.context() as patch:
            calls = failing_at(number, patch)
            yield calls
        if len(calls) <= number:
            return
