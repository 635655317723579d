"""`evoter reproduce`: the paper's experiments, run again and compared with its results."""

from typing import Annotated

import typer

from evoter.cli import signals
from evoter.cli.completion import complete_experiment
from evoter.cli.options import Json, Quiet, Seed, refuse_ignored
from evoter.cli.output import ExitCode, Failure, Streams, make_console, plain_table, split_hint
from evoter.experiments import FOLDER


def reproduce(
    context: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Experiments to run; by default all.", autocompletion=complete_experiment),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full/--quick", help="Ten runs as in the paper, or a few short ones.")
    ] = False,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FOLDER", help="The folder for records, figures and pages.")
    ] = FOLDER,
    list_: Annotated[bool, typer.Option("--list", help="List the experiments and run none.")] = False,
    seed: Seed = 0,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run the paper's experiments again and compare the results with the paper's.

    Results that the folder holds already are reused, so an interrupted run continues. The exit code is 1 if an
    experiment failed.
    """
    from evoter.experiments import ExperimentError
    from evoter.experiments import reproduce as run_experiments

    streams = Streams(json_, quiet)
    if list_:
        refuse_ignored(context, ("names", "full", "output", "seed"), "with --list", "omit --list to run experiments")
        _list(streams)
        return
    console = make_console(error=True)
    console.quiet = quiet
    try:
        with signals.raising():
            done = run_experiments(names or (), "full" if full else "quick", output, console, seed)
    except ExperimentError as error:
        message, hint = split_hint(str(error))
        raise Failure(message, hint or "evoter reproduce --list lists them") from None
    if json_:
        results = {name: result.to_dict() for name, result in done.results.items()}
        described = {"folder": str(done.folder), "page": str(done.page), "interrupted": done.interrupted}
        streams.write_json(described | {"failures": list(done.failures), "results": results})
    if done.interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)
    if done.failures:
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _list(streams: Streams) -> None:
    from evoter.experiments import catalogue

    experiments = catalogue()
    if streams.as_json:
        fields = ("name", "title", "where", "about")
        streams.write_json([{name: getattr(each, name) for name in fields} for each in experiments.values()])
        return
    table = plain_table("name", "in the paper", "what it is")
    for each in experiments.values():
        table.add_row(each.name, each.where, each.title)
    streams.show(table, fold=True)
