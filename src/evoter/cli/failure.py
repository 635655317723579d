"""What ends a command early: one line that says what is wrong, and a hint that says what to do."""

from collections.abc import Iterable
from enum import IntEnum

from evoter.rules.errors import did_you_mean


class ExitCode(IntEnum):
    """How a command ended, for scripts."""

    OK = 0
    CHECK_FAILED = 1
    WRONG_INPUT = 2
    DEFECT = 70
    INTERRUPTED = 130


class Failure(Exception):  # noqa: N818 - it names what the user sees
    """Something that the user can put right."""

    def __init__(self, message: str, hint: str = "", code: ExitCode = ExitCode.WRONG_INPUT) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code


def nearest(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return the hint for a name that is not known: those nearest to it, or what to say where none is near.

    >>> nearest("irs", ["iris", "wine"]), nearest("zzz", [], "there are none yet")
    ("did you mean 'iris'?", 'there are none yet')
    """
    return did_you_mean(name, known).removeprefix("; ") or otherwise


def split_hint(text: str) -> tuple[str, str]:
    """Divide the text of an error of the library into what is wrong and what to do about it.

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
