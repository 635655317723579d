"""The bar follows the kernels that are compiled, in a terminal only."""

import io
import time
from collections.abc import Callable

import pytest
from rich.console import Console

from evoter.cli.warming import bar
from evoter.cli.warming.bar import CompilationBar
from evoter.kernels.compilation import entry_kernel
from evoter.problems import warming


@entry_kernel
def _half(x: int) -> int:
    return x // 2


def shown_while(work: Callable[[], None], monkeypatch: pytest.MonkeyPatch, *, terminal: bool, shown: bool) -> str:
    file = io.StringIO()
    console = Console(file=file, force_terminal=terminal, width=100)
    monkeypatch.setattr(bar, "make_console", lambda *, error: console)
    with CompilationBar({_half: 2.0}, shown=shown):
        work()
    return file.getvalue()


def test_the_share_is_that_of_the_seconds() -> None:
    assert _half(4) == 2
    assert warming.compiled_share({_half: 3.0}) == 1.0


def test_it_is_drawn_while_others_work(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = shown_while(lambda: time.sleep(0.6), monkeypatch, terminal=True, shown=True)
    assert "compiling kernels for this machine, once" in drawn


@pytest.mark.parametrize(("terminal", "shown"), [(False, True), (True, False)])
def test_it_is_silent_in_pipes_and_when_asked(monkeypatch: pytest.MonkeyPatch, terminal: bool, shown: bool) -> None:
    assert shown_while(lambda: None, monkeypatch, terminal=terminal, shown=shown) == ""


def test_it_ends_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ValueError("compiling failed")

    with pytest.raises(ValueError, match="compiling failed"):
        shown_while(fail, monkeypatch, terminal=True, shown=True)
