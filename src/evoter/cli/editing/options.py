"""The edits that are given as options, in the order in which they were given."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import typer

from evoter.cli.options import Command
from evoter.cli.output import Failure

Edits = list[tuple[str, list[int | str]]]
"""Edits by name, with their arguments."""

_NUMBERED = re.compile(r"\s*([0-9]+)\s*:\s*(.*\S)\s*", re.DOTALL)

TAKES = {
    "replace": "N:RULE",
    "insert": "N:RULE",
    "move": "N:M",
    "rename": "N:NAME",
    "drop": "N",
    "pin": "N",
    "unpin": "N",
    "add": "RULE",
    "default": "ACTION",
}
"""What the options of edits take, by the names of their parameters."""


class EditCommand(Command):
    """A command that knows the order of its options: each edit starts from the result of the one before."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, and keep the names of the options in their order.

        Of `--move 2 1`, the 1 would be an argument too many: the form is checked first, so that this is what is said.
        """
        given, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for name in TAKES if not ctx.resilient_parsing else ():
            for value in given.get(name) or ():
                if _arguments(name, value) is None:
                    raise _wrong_form(name, value, args)
        ctx.obj = [param.name for param in order]
        return super().parse_args(ctx, args)


def read_edits(context: typer.Context, given: Mapping[str, list[Any] | None]) -> Edits:
    """Return the edits that were given, by their names in the library, in their order."""
    left: dict[str, Iterator[Any]] = {name: iter(values or ()) for name, values in given.items()}
    edits: Edits = []
    for name in (name for name in context.obj if name in left):
        arguments = _arguments(name, next(left[name]))
        assert arguments is not None  # see EditCommand
        edits.append((_OPERATIONS.get(name, name), arguments))
    return edits


_OPERATIONS = {"default": "set_default"}
_EXAMPLES = {"move": "4:1", "rename": '"2: age limit"'}


def _arguments(name: str, value: Any) -> list[int | str] | None:
    """Return the arguments of an edit; None if the value of its option has another form."""
    if TAKES[name] in ("N", "RULE", "ACTION"):
        return [value]
    match = _NUMBERED.fullmatch(value)
    if match is None or (name == "move" and not match[2].isdecimal()):
        return None
    return [int(match[1]), int(match[2]) if name == "move" else match[2]]


def _wrong_form(name: str, value: str, args: list[str]) -> Failure:
    """Return the error about the value of an option; a number with the rest behind it is put together in the hint."""
    example = _EXAMPLES.get(name, '"2: age > 65 -> high"')
    behind = args[args.index(value) + 1 :][:1] if value in args else []
    if behind and value.isdecimal() and _arguments(name, together := f"{value}:{behind[0]}") is not None:
        example = together if name == "move" else f'"{value}: {behind[0]}"'
    return Failure(f"--{name} {value!r} is not of the form {TAKES[name]}", f"write --{name} {example}")
