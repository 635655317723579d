"""`evoter reproduce`: the paper's experiments, run again and set beside its figures."""

from typing import Annotated

import typer

from evoter.cli.completion import complete_experiment
from evoter.cli.options import Json, Quiet, Seed
from evoter.cli.output import ExitCode, Failure, Streams, make_console, plain_table, split_hint
from evoter.experiments import FOLDER


def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Experiments; all of them if none.", autocompletion=complete_experiment),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full/--quick", help="Ten runs as in the paper, or a few short ones.")
    ] = False,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FOLDER", help="Where records, figures and pages go.")
    ] = FOLDER,
    list_: Annotated[bool, typer.Option("--list", help="Only list the experiments.")] = False,
    seed: Seed = 0,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run the paper's experiments again and set our figures beside the paper's.

    What the folder holds already is not done again, so that a run that was interrupted goes on. The exit code is 1
    where an experiment could not be done.
    """
    from evoter.experiments import ExperimentError
    from evoter.experiments import reproduce as run_experiments

    streams = Streams(json_, quiet)
    if list_:
        _list(streams)
        return
    console = make_console(error=True)
    console.quiet = quiet
    try:
        done = run_experiments(names or (), "full" if full else "quick", output, console, seed)
    except ExperimentError as error:
        message, hint = split_hint(str(error))
        raise Failure(message, hint or "evoter reproduce --list names them") from None
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
