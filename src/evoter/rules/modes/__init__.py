"""The decision modes: one module for each, with everything about it that is not compiled.

To add one, write its module, add a member to `evoter.Mode`, and return it in `mode_of`. A mode with a new `Procedure`
also needs a kernel and a case in every export; mypy names the places.
"""

from typing import assert_never

from evoter.rules.errors import RuleError
from evoter.rules.model import Mode
from evoter.rules.modes.all import ALL
from evoter.rules.modes.first import FIRST
from evoter.rules.modes.hardmax import HARDMAX
from evoter.rules.modes.mode import Decision, DecisionMode, Outcome, Plan, Procedure, Task
from evoter.rules.modes.vote import VOTE

__all__ = [
    "Decision",
    "DecisionMode",
    "Outcome",
    "Plan",
    "Procedure",
    "Task",
    "check_mode",
    "mode_of",
    "modes_for",
]


def mode_of(mode: Mode) -> DecisionMode:
    """Return the definition of a decision mode.

    >>> mode_of(Mode.ALL).several_actions
    True
    """
    match mode:
        case Mode.FIRST:
            return FIRST
        case Mode.HARDMAX:
            return HARDMAX
        case Mode.VOTE:
            return VOTE
        case Mode.ALL:
            return ALL
        case _:
            assert_never(mode)


def modes_for(*tasks: Task) -> tuple[Mode, ...]:
    """Return the modes that at least one of some tasks supports.

    >>> [mode.value for mode in modes_for(Task.CLASSIFICATION)]
    ['first', 'hardmax', 'vote']
    """
    return tuple(mode for mode in Mode if not mode_of(mode).tasks.isdisjoint(tasks))


def check_mode(mode: Mode, *tasks: Task) -> None:
    """Refuse a mode that none of some tasks supports.

    >>> check_mode(Mode.VOTE, Task.CONTROL)
    Traceback (most recent call last):
    evoter.rules.errors.RuleError: control supports the mode first, not vote
    """
    supported = [each.value for each in modes_for(*tasks)]
    if mode not in supported:
        listed = " and ".join([", ".join(supported[:-1]), supported[-1]] if len(supported) > 1 else supported)
        noun = "modes" if len(supported) > 1 else "mode"
        verb = "supports" if len(tasks) == 1 else "support"
        raise RuleError(f"{' and '.join(tasks)} {verb} the {noun} {listed}, not {mode}")
