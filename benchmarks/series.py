"""EVOTER compared with other classifiers on real series: one command for a task's tables and rules."""

import argparse
from collections.abc import Sequence

from series_tasks import activity

TASKS = {"activity": activity}
"""The modules of the tasks, by the name they have on the command line."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the chosen task."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(metavar="task", required=True)
    for name, task in TASKS.items():
        command = commands.add_parser(name, description=task.__doc__, help=task.__doc__)
        task.add_arguments(command)
        command.set_defaults(run=task.main)
    chosen = parser.parse_args(arguments)
    chosen.run(chosen)


if __name__ == "__main__":
    main()
