"""The command line as a whole: its commands, and how they report errors."""

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any, TextIO

import typer

from evoter.cli import signals
from evoter.cli.check import check
from evoter.cli.comparison.command import compare
from evoter.cli.datasets import datasets
from evoter.cli.demo import demo
from evoter.cli.distillation.command import distil
from evoter.cli.editing.command import edit
from evoter.cli.editing.options import EditCommand
from evoter.cli.editing.verify import verify
from evoter.cli.explain import explain
from evoter.cli.fairness.command import audit
from evoter.cli.fit.command import fit
from evoter.cli.options import Command, FitCommand, Group
from evoter.cli.output import ExitCode, Failure, Streams, say, split_hint
from evoter.cli.predict import predict
from evoter.cli.proofs.diff import diff
from evoter.cli.proofs.prove import prove
from evoter.cli.reproduce import reproduce
from evoter.cli.show import show
from evoter.cli.simplify import simplify
from evoter.cli.studio.command import studio
from evoter.cli.warming.command import warm_up

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
TRACEBACK_VARIABLE = "EVOTER_TRACEBACK"


class Commands(Group):
    """Commands that end with one line and an exit code, whatever goes wrong."""

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> Any:
        """Run a command and leave with its exit code."""
        given = list(sys.argv[1:] if args is None else args)
        extra["standalone_mode"] = False
        try:
            code = super().main(given, prog_name or "evoter", **extra)
            code = signals.code_of_signal() or code
        except BrokenPipeError:
            code = ExitCode.OK  # the reader of the pipe has closed it
        except Exception as error:
            if TRACEBACK_VARIABLE in os.environ:
                raise
            code = _report(_failure(error), as_json="--json" in given)
        unwritten = _flush(sys.stdout)
        if unwritten is not None and not isinstance(unwritten, BrokenPipeError) and not code:
            code = _report(_failure(unwritten), as_json=False)
        _flush(sys.stderr)
        sys.exit(int(code) if isinstance(code, int) else ExitCode.OK)

    def invoke(self, ctx: Any) -> Any:
        """Run the command itself."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            terminated = signals.code_of_signal() == ExitCode.TERMINATED
            say(f"evoter: {'terminated' if terminated else 'interrupted'}", "dim")
            raise typer.Exit(ExitCode.INTERRUPTED) from None


def _flush(stream: TextIO) -> OSError | None:
    """Write what a standard stream still holds; return the error if that is impossible, and discard the rest then."""
    try:
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return error
    return None


def _failure(error: Exception) -> Failure:
    """Return the failure to report for an error."""
    from evoter.rules.errors import RuleError

    if isinstance(error, Failure):
        return error
    if hasattr(error, "format_message"):  # typer's own: an unknown option, a missing argument
        context = getattr(error, "ctx", None)
        command = getattr(context, "command_path", "evoter")
        return Failure(error.format_message().rstrip(".").replace("\n", " "), f"{command} --help")
    if isinstance(error, typer.Abort):
        return Failure("aborted", code=ExitCode.INTERRUPTED)
    if isinstance(error, RuleError):
        return Failure(*split_hint(str(error)))
    if isinstance(error, OSError):
        if error.strerror and error.filename is not None:
            return Failure(f"{error.filename}: {error.strerror}")
        if error.errno in _NO_ROOM:  # errors about files name them
            return Failure(f"standard output cannot be written: {error.strerror}", "the result is incomplete")
        return Failure(*split_hint(str(error) or type(error).__name__))
    if isinstance(error, ImportError):
        return Failure(str(error), 'pip install "evoter[all]"')
    hint = f"this is a bug, please report it; {TRACEBACK_VARIABLE}=1 shows the traceback"
    return Failure(f"{type(error).__name__}: {error}".splitlines()[0], hint, ExitCode.DEFECT)


def _report(failure: Failure, *, as_json: bool) -> ExitCode:
    say(f"evoter: {failure.message}", "red")
    if failure.hint:
        say(f"  hint: {failure.hint}")
    if as_json:
        with suppress(OSError):  # the failure may be that nothing can be written there
            Streams(as_json=True).write_json(
                {"error": failure.message, "hint": failure.hint, "exit_code": failure.code}
            )
    return failure.code


def _paragraphs(text: str | None) -> str:
    """Return a docstring with each paragraph on one line, for terminals of any width."""
    return "\n\n".join(" ".join(part.split()) for part in (text or "").split("\n\n"))


app = typer.Typer(
    name="evoter",
    cls=Commands,
    no_args_is_help=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
    pretty_exceptions_enable=False,
)
for command in (
    demo, fit, distil, predict, explain, show, simplify, edit, verify, check, audit, prove, diff, studio, compare,
    reproduce, warm_up,
):  # fmt: skip
    kind = {fit: FitCommand, distil: FitCommand, edit: EditCommand}.get(command, Command)
    app.command(cls=kind, help=_paragraphs(command.__doc__))(command)
app.add_typer(datasets, name="datasets")


@app.callback(
    invoke_without_command=True,
    help="Learn human-readable rules from a table; apply, check, compare and export them.",
    epilog="Every command has --help, --json and --quiet. Exit codes: 0 success, 1 a check failed, 2 invalid input, "
    "130 Ctrl-C, 143 SIGTERM.",
)
def _begin(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Print the version, or a short help if no command is given."""
    if version:
        from evoter import __version__

        sys.stdout.write(f"evoter {__version__}\n")
        raise typer.Exit
    if context.invoked_subcommand is None:
        sys.stdout.write(SHORT_HELP)


SHORT_HELP = """\
evoter learns human-readable rules from a table.

  evoter demo                                      a tour with built-in data, in a few seconds
  evoter fit data.csv --target COLUMN              learn rules from your table, test them, write a report
  evoter predict data.rules.json new.csv           apply the rules to new rows
  evoter explain data.rules.json new.csv --row 1   explain a decision
  evoter datasets                                  list data sets to try

All commands: evoter --help. Options of a command: evoter fit --help. Tab completion: evoter --install-completion
"""


def run() -> None:
    """Run the command line with the arguments of this process."""
    typer.main.get_command(app)()
