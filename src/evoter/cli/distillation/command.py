"""`evoter distil`: from a model, or its answers in a table, to rules that answer alike, and where they do not."""

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evoter.cli import signals
from evoter.cli.completion import complete_column
from evoter.cli.options import (
    SEARCH,
    Category,
    Drop,
    Encoding,
    Export,
    Force,
    Generations,
    Identifier,
    Jobs,
    Json,
    MaxConditions,
    MaxRules,
    Missing,
    NoHeader,
    NumericColumn,
    Population,
    Quiet,
    RuleFile,
    Seed,
    Sheet,
    Test,
    refuse_ignored,
)
from evoter.cli.output import ExitCode, Failure, Streams
from evoter.cli.warming.sharing import compiling_together

if TYPE_CHECKING:
    from evoter.cli.distillation.asking import Asked
    from evoter.cli.fit.column_roles import Plan
    from evoter.cli.fit.learning import LearningOptions
    from evoter.cli.fit.split import Split
    from evoter.distillation.twin import Twin

ANSWERS = "The model, or its answers"
N_RUNS = 4
"""The runs of a search with a front, between which the time is divided."""


def distil(
    context: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="[MODEL] TABLE",
            help="A joblib or pickle file or module:function, and a CSV, TSV, Parquet or Excel file; the table alone "
            "with --predictions or --probabilities.",
        ),
    ],
    trust_model: Annotated[
        bool,
        typer.Option(
            "--trust-model",
            help="Load or import the model although that runs code that it brings along.",
            rich_help_panel=ANSWERS,
        ),
    ] = False,
    predictions: Annotated[
        str | None,
        typer.Option(
            "--predictions",
            metavar="COLUMN",
            help="The column with the classes or numbers that the model predicts; no model is needed.",
            rich_help_panel=ANSWERS,
            autocompletion=complete_column,
        ),
    ] = None,
    probabilities: Annotated[
        list[str] | None,
        typer.Option(
            "--probabilities",
            metavar="COLUMN[=CLASS]",
            help="A column with the probability of a class, for each class; no model is needed.",
            rich_help_panel=ANSWERS,
            autocompletion=complete_column,
        ),
    ] = None,
    queries: Annotated[
        float | None,
        typer.Option(
            "--queries",
            metavar="SHARE",
            help="Share of queries among what the rules are learnt from (0.75 by default, 0 for none).",
            rich_help_panel=ANSWERS,
        ),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(
            "--target",
            "-t",
            metavar="COLUMN",
            help="The column with the true classes or numbers, to tell how right both are; nothing is learnt from it.",
            autocompletion=complete_column,
        ),
    ] = None,
    task: Annotated[
        str,
        typer.Option(
            "--task",
            metavar="NAME",
            help="What the model predicts: classes, numbers, or auto: numbers if it is a regressor or its answers have "
            "decimals; of a column, if it has more than 20 different numbers.",
            rich_help_panel=ANSWERS,
        ),
    ] = "auto",
    local: Annotated[
        int | None,
        typer.Option("--local", metavar="ROW", min=1, help="Imitate the model around this row; needs the model."),
    ] = None,
    output: RuleFile = None,
    export: Export = None,
    force: Force = False,
    test: Test = 0.25,
    seed: Seed = 0,
    json_: Json = False,
    quiet: Quiet = False,
    category: Category = None,
    numeric: NumericColumn = None,
    drop: Drop = None,
    identifier: Identifier = None,
    front: Annotated[
        bool, typer.Option("--front/--no-front", help="Also search for smaller rule sets.", rich_help_panel=SEARCH)
    ] = True,
    time: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", help="Maximum time for the search.", rich_help_panel=SEARCH),
    ] = None,
    generations: Generations = None,
    population: Population = None,
    max_rules: MaxRules = None,
    max_conditions: MaxConditions = None,
    jobs: Jobs = -1,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Learn rules that answer as another model does, test on held-out rows how often they do, and say where not.

    The model is a fitted scikit-learn classifier or regressor in a file, or a function, both of which are code and must
    be trusted; or the table has its answers. With a model, the rules are also learnt from queries: rows that are not in
    the table but could be. Ctrl-C keeps the best rules so far.
    """
    from evoter.cli.distillation.asking import ask_about, true_answers
    from evoter.cli.fit.column_roles import Choices, check_task
    from evoter.cli.fit.files import check_writable, output_path
    from evoter.cli.fit.learning import LearningOptions
    from evoter.cli.fit.result import show_files
    from evoter.cli.tables.files import ReadingOptions, read_source

    begun = perf_counter()
    streams = Streams(json_, quiet)
    model, table = _model_and_table(files, predictions, probabilities, queries, local, trust_model)
    if local is not None:
        refuse_ignored(
            context, ("export", "test", "front"), "with --local, which shows rules around one row", "omit it"
        )
    check_task(task)
    if probabilities:
        refuse_ignored(context, ("task",), "with --probabilities, which are those of classes", "omit it")
    path = output_path(output, table)
    check_writable(path, export or (), table)
    source = read_source(table, ReadingOptions.given(missing, no_header=no_header, sheet=sheet, encoding=encoding))
    options = LearningOptions(
        generations=generations,
        seconds=time,
        population_size=population,
        max_rules=max_rules,
        max_conditions=max_conditions,
        jobs=jobs,
        seed=seed,
        begun=begun,
    )
    options.check()
    dropped = (*(drop or ()), *([target] if target is not None else ()))
    choices = Choices(None, tuple(category or ()), tuple(numeric or ()), dropped, identifier, task=task)
    asked = ask_about(source, choices, model, predictions, probabilities or (), trusted=trust_model)
    labels = None if target is None else true_answers(source, target, asked)
    if local is not None:
        twin = _learn_locally(asked, labels, options, local, queries, progress=not quiet)
        _show_local(streams, twin, path if output is not None else None)
        return
    if test == 0:
        raise Failure("--test 0 leaves no rows to measure fidelity on", "hold out some, such as --test 0.25")
    split = _split(asked.plan, test)
    twin = _learn(asked, labels, split, options, queries, front=front, progress=not quiet)
    interrupted = signals.code_of_signal() is not None or twin.model.stop_reason_ == "interrupted"
    written, record, kept = _write(twin, asked.plan, split, options, path, export or (), interrupted, keep=not force)
    signals.let_go()
    if json_:
        paths = {"files": [str(each.path) for each in written], "kept": [str(each) for each in kept]}
        streams.write_json(record | paths)
    elif not quiet:
        streams.write(twin.to_text())
        show_files(streams, written, kept)
    if interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)


def _model_and_table(
    files: Sequence[str],
    predictions: str | None,
    probabilities: Sequence[str] | None,
    queries: float | None,
    local: int | None,
    trusted: bool,
) -> tuple[str | None, str]:
    """Return the model, if there is one, and the table; refuse options without effect."""
    recorded = [name for name, given in (("--predictions", predictions), ("--probabilities", probabilities)) if given]
    if len(recorded) > 1:
        raise Failure("--predictions has no effect beside --probabilities", "give one of them")
    if len(files) != 2 - len(recorded):
        if recorded:
            raise Failure(f"{recorded[0]} takes the table alone", f"evoter distil TABLE {recorded[0]} COLUMN")
        raise Failure(
            "name a model and a table", "or a table alone, with the model's answers: --predictions or --probabilities"
        )
    if not recorded:
        return files[0], files[1]
    for option, given in (("--queries", bool(queries)), ("--local", local is not None), ("--trust-model", trusted)):
        if given:
            raise Failure(f"{option} needs a model that can be asked, and {recorded[0]} is a table", f"omit {option}")
    return None, files[0]


def _learn(
    asked: "Asked",
    labels: Any,
    split: "Split",
    options: "LearningOptions",
    queries: float | None,
    *,
    front: bool,
    progress: bool,
) -> "Twin":
    import numpy as np

    from evoter.cli.fit.learning import search_messages
    from evoter.distillation.distilling import asked_evidence, learn_twin, recorded_evidence

    frame, train, test = asked.plan.frame, split.train, split.test
    model = _learner(asked.plan, options, N_RUNS if front else 1, progress=progress)
    unseen_labels = None if labels is None else labels[test]
    numbers = np.array(asked.plan.rows)[test] + 1  # as people count the lines of a table
    limited = options.seconds is not None
    with search_messages(progress), compiling_together(limited=limited, progress=progress):
        if asked.box is None:
            rows, unseen = frame[train.tolist()], frame[test.tolist()]
            answers = asked.answers
            evidence = recorded_evidence(
                asked.name, rows, answers[train], unseen, answers[test], numbers, unseen_labels
            )
        else:
            evidence = asked_evidence(
                asked.box,
                frame[train.tolist()],
                frame[test.tolist()],
                numbers,
                unseen_labels,
                queries,
                np.random.default_rng(options.seed),
                model,
            )
        return learn_twin(model, evidence, front=front)


def _learn_locally(
    asked: "Asked", labels: Any, options: "LearningOptions", row: int, queries: float | None, *, progress: bool
) -> "Twin":
    from evoter.cli.fit.learning import search_messages
    from evoter.distillation.distilling import distil_around

    if row > len(asked.plan.rows):
        raise Failure(f"--local {row}: the table has {len(asked.plan.rows)} rows", "rows count from 1")
    assert asked.box is not None
    model = _learner(asked.plan, options, 1, progress=progress)
    limited = options.seconds is not None
    with search_messages(progress), compiling_together(limited=limited, progress=progress):
        return distil_around(asked.box, asked.plan.frame, row - 1, labels, query_share=queries, model=model)


def _learner(plan: "Plan", options: "LearningOptions", n_runs: int, *, progress: bool) -> Any:
    from evoter.cli.fit.learning import ends_on_signal
    from evoter.estimators.classifier import EvoterClassifier
    from evoter.estimators.regression.regressor import EvoterRegressor

    kind: Any = EvoterClassifier if plan.numbers is None else EvoterRegressor
    model = kind(
        **options.parameters(),
        **({} if plan.numbers is None else {"target_name": plan.target}),
        categorical=plan.categorical,
        units=plan.units or None,
        watchers=[ends_on_signal(progress)],
        verbose=int(progress),
    )
    model.max_seconds = options.seconds_left(perf_counter() - options.begun, n_runs)
    return model


def _split(plan: "Plan", share: float) -> "Split":
    from evoter.cli.fit.split import split_rows
    from evoter.cli.numbers.fitting import split_numbers

    if plan.numbers is not None:
        return split_numbers(plan, share, 0)
    return split_rows(plan.labels, plan.identifiers, share, 0)


def _write(
    twin: "Twin",
    plan: "Plan",
    split: "Split",
    options: "LearningOptions",
    path: Path,
    exports: Sequence[str],
    interrupted: bool,
    *,
    keep: bool,
) -> tuple[list[Any], dict[str, Any], list[Path]]:
    """Write the twin as a fit is written whose labels are the answers of the model."""
    from evoter.analysis.rule_statistics import measure
    from evoter.cli.fit.copies import find_copies
    from evoter.cli.fit.files import write_files
    from evoter.cli.fit.learning import Learnt, Optimised, with_cell_reading
    from evoter.cli.fit.outcome import Fit
    from evoter.cli.numbers.files import measure_fit, write_number_files

    model = twin.model
    model.max_seconds = options.seconds
    model.ruleset_ = with_cell_reading(model.ruleset_, plan)
    copies, known = find_copies(plan, split), twin.to_dict()
    if plan.numbers is not None:
        fit = measure_fit(plan, split, options, model, copies, interrupted=interrupted, distillation=known)
        return write_number_files(path, fit, exports, keep=keep)
    seen, unseen = (
        measure(model.ruleset_, plan.frame[rows], [plan.labels[row] for row in rows])
        for rows in (split.train.tolist(), split.test.tolist())
    )
    optimised = Optimised("fidelity", twin.learnt_fidelity.value, twin.fidelity.value)
    learnt = Learnt(model, seen, unseen, interrupted, optimised)
    return write_files(path, Fit(plan, split, options, learnt, copies, distillation=known), exports, keep=keep)


def _show_local(streams: Streams, twin: "Twin", path: Any) -> None:
    from evoter.rules.json_codec import save

    signals.let_go()
    if path is not None:
        save(twin.ruleset, path)
    if streams.as_json:
        streams.write_json(twin.to_dict() | {"text": twin.ruleset.to_text(declarations=False)})
    elif not streams.quiet:
        streams.write(twin.to_text())
