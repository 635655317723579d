"""The command `evoter`: from a table to rules, and what one does with rules afterwards."""

import sys
from importlib.util import find_spec

from evoter.cli import signals

NEEDED = ("typer", "polars")


def main() -> None:
    """Run the command line, or say how to install what it needs."""
    signals.install()  # before anything that takes time is imported
    absent = [name for name in NEEDED if find_spec(name) is None]
    if absent:
        sys.stderr.write(f'evoter: the command line needs {" and ".join(absent)}: pip install "evoter[cli]"\n')
        raise SystemExit(1)
    from evoter.cli.app import run

    run()
