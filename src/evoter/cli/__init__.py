"""The command `evoter`: from a table to rules, and what one does with rules afterwards."""

import atexit
import gc
import os
import sys

NEEDED = ("typer", "polars")


def main() -> None:
    """Run the command line, or say how to install what it needs."""
    _open_closed_streams()
    from evoter.cli import signals  # the first import of all: from then on, Ctrl-C is one line

    signals.install()
    atexit.register(gc.freeze)  # else the collector goes through all libraries before the process ends, for nothing
    from importlib.util import find_spec

    absent = [name for name in NEEDED if find_spec(name) is None]
    if absent:
        sys.stderr.write(f'evoter: the command line needs {" and ".join(absent)}: pip install "evoter[cli]"\n')
        raise SystemExit(1)
    from evoter.cli.app import run

    run()


def _open_closed_streams() -> None:
    """Read from and write to nowhere if a standard stream is closed; a file that is opened would take its place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - for good
