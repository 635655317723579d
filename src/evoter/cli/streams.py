"""Where commands write: results on standard output, for people or as JSON, remarks and progress on standard error."""

import json
import math
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evoter.rules.printing.pieces import visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

PIPE_WIDTH = 120
"""How wide tables are where there is no terminal to fit."""


@dataclass(frozen=True, slots=True)
class Streams:
    """What a command was asked to write: results as text or as JSON, with remarks or quietly."""

    as_json: bool = False
    quiet: bool = False

    def console(self) -> "Console":
        """Return where results for a person go."""
        return make_console(error=False)

    def show(self, *parts: "RenderableType", fold: bool = False) -> None:
        """Print a result for a person; with JSON there is none. Long lines are folded only on request."""
        if not self.as_json:
            console = self.console()
            for part in parts:
                console.print(part, soft_wrap=not fold)

    def write(self, text: str) -> None:
        """Write text to standard output as it is."""
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")

    def write_json(self, value: object) -> None:
        """Write the result as JSON."""
        self.write(json.dumps(json_ready(value), ensure_ascii=False, indent=2, allow_nan=False))

    def remark(self, text: str) -> None:
        """Say something on the side, unless it is to be quiet."""
        if not self.quiet:
            make_console(error=True).print(harmless(text), style="dim", soft_wrap=True, markup=False)

    def warn(self, text: str) -> None:
        """Say something that the reader should look at, unless it is to be quiet."""
        if not self.quiet:
            make_console(error=True).print(f"warning: {harmless(text)}", style="yellow", soft_wrap=True, markup=False)


def make_console(*, error: bool) -> "Console":
    """Return a console on one of the standard streams as they are now."""
    from rich.console import Console

    stream = sys.stderr if error else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
    return Console(file=stream, highlight=False, width=width, emoji=False)


def harmless(text: str) -> str:
    r"""Return text as it may go to a terminal: a name in a table must not colour it, clear it or change its title.

    >>> print(harmless("two\nlines, \x1b[2J"))
    two
    lines, \u001b[2J
    """
    return "\n".join(map(visible, text.split("\n")))


def json_ready(value: object) -> object:
    """Return a value made of what JSON knows; a number that is none, such as NaN, is null.

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
