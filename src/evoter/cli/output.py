"""What commands write: results on standard output, messages and errors on standard error, and files."""

import json
import math
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evoter.analysis.formatting import counted
from evoter.rules.errors import did_you_mean
from evoter.rules.printing.pieces import visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from evoter.rules.model import RuleSet

PIPE_WIDTH = 120
"""The width of tables where there is no terminal to fit."""


class ExitCode(IntEnum):
    """How a command ended, for scripts."""

    OK = 0
    CHECK_FAILED = 1
    WRONG_INPUT = 2
    DEFECT = 70
    INTERRUPTED = 130
    TERMINATED = 143


class Failure(Exception):  # noqa: N818 - it names what the user sees
    """An error that the user can correct: one line that says what is wrong, and a hint that says what to do."""

    def __init__(self, message: str, hint: str = "", code: ExitCode = ExitCode.WRONG_INPUT) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code


def nearest(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return the hint for an unknown name: the known names most like it, or `otherwise` if none is.

    >>> nearest("irs", ["iris", "wine"]), nearest("zzz", [], "there are none yet")
    ("did you mean 'iris'?", 'there are none yet')
    """
    return did_you_mean(name, known).removeprefix("; ") or otherwise


def split_hint(text: str) -> tuple[str, str]:
    """Split the text of an error of the library into what is wrong and what to do about it.

    >>> split_hint("unknown feature 'agee'; did you mean 'age'?")
    ("unknown feature 'agee'", "did you mean 'age'?")
    >>> split_hint("unknown metric 'acc'")
    ("unknown metric 'acc'", '')
    """
    lines = text.strip().splitlines()
    message, divider, hint = (lines[0] if lines else "").rpartition("; ")
    if not divider:
        return hint, ""
    return message, hint


@dataclass(frozen=True, slots=True)
class Streams:
    """How a command writes: results as text or as JSON, with or without messages."""

    as_json: bool = False
    quiet: bool = False

    def console(self) -> "Console":
        """Return the console for results."""
        return make_console(error=False)

    def show(self, *parts: "RenderableType", fold: bool = False) -> None:
        """Print a result for people, and nothing with --json. Long lines are wrapped only if `fold` is set."""
        if not self.as_json:
            console = self.console()
            for part in parts:
                console.print(part, soft_wrap=not fold)

    def write(self, text: str) -> None:
        """Write text to standard output: unchanged to a file or a pipe, and in a terminal such that it is safe."""
        shown = _harmless(text) if sys.stdout.isatty() else text
        sys.stdout.write(shown if shown.endswith("\n") else f"{shown}\n")

    def write_json(self, value: object) -> None:
        """Write the result as JSON, in which characters that are not to be seen are escapes as well."""
        self.write(_harmless(json.dumps(json_ready(value), ensure_ascii=False, indent=2, allow_nan=False)))

    def remark(self, *lines: str) -> None:
        """Print messages to standard error, unless they are suppressed."""
        for line in () if self.quiet else lines:
            say(line, "dim")

    def warn(self, text: str) -> None:
        """Print a warning to standard error, unless messages are suppressed."""
        if not self.quiet:
            say(f"warning: {text}", "yellow")


def make_console(*, error: bool) -> "Console":
    """Return a console on standard error or standard output as they are now, which no text can take control of."""
    stream = sys.stderr if error else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    return _console_class()(file=stream, highlight=False, width=width, emoji=False)


@cache
def _console_class() -> "type[Console]":
    """Return the class of all consoles: a name from outside must not colour or clear the terminal, or set its title."""
    from rich.console import Console
    from rich.segment import Segment

    class SafeConsole(Console):
        def render(self, renderable: Any, options: Any = None) -> Iterator[Segment]:
            """Render as rich does, with escapes for characters that are not to be seen."""
            for text, style, control in super().render(renderable, options):
                yield Segment(text if control else _harmless(text), style, control)

    return SafeConsole


def _harmless(text: str) -> str:
    """Return lines of text that are safe to print."""
    return "\n".join(map(visible, text.split("\n")))


def say(text: str, style: str = "") -> None:
    """Print one line to standard error; a message that cannot be written does not stop a command.

    It is written as a whole, so that a live line, which takes the place of standard error, shows it above itself.
    """
    with suppress(OSError):
        console = make_console(error=True)
        with console.capture() as line:
            console.print(visible(text), style=style, soft_wrap=True, markup=False)
        sys.stderr.write(line.get())
        sys.stderr.flush()


def json_ready(value: object) -> object:
    """Return a value that JSON can hold; NaN and infinities become null.

    >>> json_ready({"share": float("nan"), "rows": (1, 2)})
    {'share': None, 'rows': [1, 2]}
    """
    if isinstance(value, Mapping):
        return {str(key): json_ready(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [json_ready(item) for item in value]
    plain = value.tolist() if hasattr(value, "tolist") else value  # scalars and arrays of numpy
    if isinstance(plain, list):
        return json_ready(plain)
    if isinstance(plain, float) and not math.isfinite(plain):
        return None
    return plain if isinstance(plain, str | int | float | bool | None) else str(plain)


ERROR, WARNING, GOOD, NOTE = "error", "warning", "ok", "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one test."""

    level: str
    about: str
    message: str


def show_findings(streams: Streams, findings: Iterable[Finding], title: str, verdict: str, *, failed: bool) -> None:
    """Print the results of some tests, with a title before and the verdict after them."""
    from rich.text import Text

    marks = {
        GOOD: ("ok     ", "green"),
        NOTE: ("note   ", "cyan"),
        WARNING: ("warning", "yellow"),
        ERROR: ("error  ", "bold red"),
    }
    console = streams.console()
    console.print(Text(visible(title), style="bold"))
    for each in findings:
        if streams.quiet and each.level == GOOD:
            continue
        mark, style = marks[each.level]
        line = Text("  ").append(mark, style=style).append(f"  {visible(each.about)}", style="bold")
        console.print(line.append(f"  {visible(each.message)}"), soft_wrap=True)
    console.print(Text(verdict, style="bold red" if failed else "bold green"))


def heading(console: "Console", text: str) -> None:
    """Print a heading."""
    from rich.markup import escape
    from rich.rule import Rule

    console.print()
    console.print(Rule(f"[bold]{escape(visible(text))}[/bold]", align="left", style="cyan"))


def size(ruleset: "RuleSet") -> str:
    """Return the number of rules and conditions of a rule set, in words."""
    return f"{counted(len(ruleset.rules), 'rule')}, {counted(ruleset.n_conditions, 'condition')}"


def bare_table() -> "Table":
    """Return a table without columns, in the style that all commands use."""
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), header_style="italic")


def plain_table(*headings: str, right: tuple[int, ...] = ()) -> "Table":
    """Return a table without rows; the columns with the indices `right` are aligned to the right."""
    from rich.text import Text

    table = bare_table()
    for index, name in enumerate(headings):
        table.add_column(Text(visible(name)), justify="right" if index in right else "left", overflow="fold")
    return table


def writable(path: str | Path) -> Path:
    """Return the path of a file to write; refuse a directory, and a file in a missing or protected directory."""
    target = Path(path).expanduser()
    if target.is_dir():
        raise Failure(f"{str(target)!r} is a directory", "name a file in it")
    if not target.parent.is_dir():
        raise Failure(f"there is no directory {str(target.parent)!r} to write to", f"mkdir -p {target.parent}")
    if not os.access(target.parent, os.W_OK):
        raise Failure(
            f"you may not write to the directory {str(target.parent)!r}", "name another directory with --output"
        )
    return target
