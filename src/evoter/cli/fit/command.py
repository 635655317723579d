"""`evoter fit`: from a table to rules that are tested on unseen rows."""

import sys
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from evoter.cli import signals
from evoter.cli.completion import complete_column
from evoter.cli.guardrails.options import (
    Forbid,
    ForbidFeature,
    GuardrailOptions,
    MonotoneColumns,
    Order,
    Pin,
    ShowPrice,
)
from evoter.cli.options import (
    COLUMNS,
    SEARCH,
    Category,
    Cluster,
    Drop,
    Encoding,
    Export,
    Force,
    Generations,
    Identifier,
    Islands,
    Jobs,
    Json,
    MaxConditions,
    MaxRules,
    MetricName,
    Missing,
    NoHeader,
    NumericColumn,
    Population,
    Quiet,
    RuleFile,
    Sheet,
    Target,
    Test,
)
from evoter.cli.options import Table as TableArgument
from evoter.cli.output import ExitCode, Failure, Streams, writable

if TYPE_CHECKING:
    from collections.abc import Callable

    from evoter.cli.fit.column_roles import Choices, Plan


def fit(
    table: TableArgument,
    target: Target = None,
    output: RuleFile = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Do not ask whether the columns are read correctly.")
    ] = False,
    export: Export = None,
    force: Force = False,
    test: Test = 0.25,
    split_seed: Annotated[
        int | None,
        typer.Option(
            "--split-seed",
            metavar="N",
            min=0,
            max=2**32 - 1,
            help="Random seed of the split into training and test rows (0 by default).",
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            "--seed",
            metavar="N",
            min=0,
            max=2**32 - 1,
            help="Random seed of the search; the same seeds give the same result.",
        ),
    ] = 0,
    repeat: Annotated[
        int,
        typer.Option(
            "--repeat",
            metavar="N",
            min=1,
            max=1000,
            help="Search with this number of seeds on the same split, and report what the results have in common.",
        ),
    ] = 1,
    json_: Json = False,
    quiet: Quiet = False,
    category: Category = None,
    numeric: NumericColumn = None,
    drop: Drop = None,
    identifier: Identifier = None,
    protected: Annotated[
        list[str] | None,
        typer.Option(
            "--protected",
            metavar="COLUMN",
            help="Compare the groups of this column in the report: decisions and accuracy. Rules may still read it; "
            "--drop leaves it out.",
            rich_help_panel=COLUMNS,
            autocompletion=complete_column,
        ),
    ] = None,
    dates: Annotated[
        list[str] | None,
        typer.Option(
            "--dates",
            metavar="COLUMN=PART,...",
            help="Read parts of the dates in this column: year, month, weekday, days (since the first date), or all; "
            "dmy or mdy say whether the day or the month comes first.",
            rich_help_panel=COLUMNS,
        ),
    ] = None,
    cut: Annotated[
        list[float] | None,
        typer.Option(
            "--cut",
            metavar="NUMBER",
            help="Split a numeric target into classes at this number.",
            rich_help_panel=COLUMNS,
        ),
    ] = None,
    unit: Annotated[
        list[str] | None,
        typer.Option(
            "--unit",
            metavar="COLUMN=UNIT",
            help="The unit of a numeric column; rules print it, and compare only columns of equal unit.",
            rich_help_panel=COLUMNS,
        ),
    ] = None,
    label: Annotated[
        list[str] | None,
        typer.Option(
            "--label",
            metavar="VALUE=NAME",
            help="The name of a class: --label 1=dies for the rows whose target is 1.",
            rich_help_panel=COLUMNS,
        ),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="SECONDS",
            help="Maximum time for the whole command; there is then no default limit on generations.",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    generations: Generations = None,
    patience: Annotated[
        int | None,
        typer.Option(
            "--patience",
            metavar="N",
            min=1,
            help="Stop after this number of generations without improvement ({patience} by default).",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            metavar="NAME",
            help="Search settings: default, or paper for the published algorithm.",
            rich_help_panel=SEARCH,
        ),
    ] = "default",
    forms: Annotated[
        str | None,
        typer.Option(
            "--forms",
            metavar="NAMES",
            help="What conditions may look like: constants,sets,sums by default; also comparisons.",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    task: Annotated[
        str,
        typer.Option(
            "--task",
            metavar="NAME",
            help="What is predicted: classes, numbers, or auto: numbers if the target has more than 20 different ones.",
            rich_help_panel=COLUMNS,
        ),
    ] = "auto",
    metric: MetricName = None,
    objective: Annotated[
        list[str] | None,
        typer.Option(
            "--objective",
            metavar="NAME",
            help="One of several objectives: first a metric, then complexity, rules, features or rare_rules.",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    select: Annotated[
        str | None,
        typer.Option(
            "--select",
            metavar="NAME",
            help="The rule set to choose of a front, or else of those nearly as good as the best: best, knee or "
            "neighbours.",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            "--limit",
            metavar="NAME=LIMIT",
            help="Limit an objective, such as complexity=8 conditions, recall(malignant)=0.95 (at least), or, with "
            "--protected, selection_rate_difference=0.05.",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    max_rules: MaxRules = None,
    max_conditions: MaxConditions = None,
    population: Population = None,
    islands: Islands = None,
    parsimony: Annotated[
        float | None,
        typer.Option(
            "--parsimony",
            metavar="SCORE",
            rich_help_panel=SEARCH,
            help="The gain in score that each condition must bring.",
        ),
    ] = None,
    balanced: Annotated[
        bool, typer.Option("--balanced", help="Give all classes the same total weight.", rich_help_panel=SEARCH)
    ] = False,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--setting", metavar="NAME=VALUE", help="Any other setting of the search.", rich_help_panel=SEARCH
        ),
    ] = None,
    jobs: Jobs = -1,
    cluster: Cluster = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            "--checkpoint",
            metavar="FILE",
            help="Save the state of the search to this file, or continue from it if it exists.",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    pin: Pin = None,
    forbid_feature: ForbidFeature = None,
    forbid: Forbid = None,
    monotone: MonotoneColumns = None,
    monotone_order: Order = None,
    guardrail_price: ShowPrice = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Learn rules from a table, test them on held-out rows, and write them with a report.

    Column kinds, missing values and categories are detected and shown; in a terminal you are asked to confirm them
    before the search starts. Ctrl-C and SIGTERM end the search and keep the best rules so far.
    """
    from evoter.cli.fit.column_roles import Choices, check_task, plan_columns
    from evoter.cli.fit.copies import find_copies
    from evoter.cli.fit.date_columns import read_date_options
    from evoter.cli.fit.files import check_writable, output_path, write_files
    from evoter.cli.fit.learning import NUMBER_METRICS, LearningOptions, learn_repeatedly
    from evoter.cli.fit.outcome import Fit
    from evoter.cli.fit.protected import check_protected
    from evoter.cli.fit.result import show_result
    from evoter.cli.fit.split import split_rows
    from evoter.cli.large.opening import open_large
    from evoter.cli.options import named_numbers, named_values
    from evoter.cli.tables.files import ReadingOptions, read_source

    begun = perf_counter()
    streams = Streams(json_, quiet)
    path = output_path(output, table)
    _refuse_contradictions(split_seed, test, checkpoint, repeat)
    rails = GuardrailOptions.given(pin, forbid_feature, forbid, monotone, monotone_order, price=guardrail_price)
    saved = None if checkpoint is None else writable(checkpoint)
    check_writable(path, export or (), table, saved)
    reading = ReadingOptions.given(missing, no_header=no_header, sheet=sheet, encoding=encoding)
    large = open_large(table, reading)
    options = LearningOptions(
        preset=preset,
        forms=forms,
        metric=metric,
        objectives=tuple(objective or ()),
        select=select,
        limits=named_numbers(limit or (), "--limit"),
        generations=generations,
        seconds=time,
        patience=patience,
        population_size=population,
        n_islands=islands,
        max_rules=max_rules,
        max_conditions=max_conditions,
        parsimony=parsimony,
        settings=named_values(setting or (), "--setting"),
        balanced=balanced,
        jobs=jobs,
        cluster=cluster,
        seed=seed,
        checkpoint=saved,
        guardrails=rails,
        begun=begun,
    )
    check_task(task)
    options.check(numbers=options.metric in NUMBER_METRICS or task == "numbers")
    choices = Choices(
        target,
        tuple(category or ()),
        tuple(numeric or ()),
        tuple(drop or ()),
        identifier,
        tuple(cut or ()),
        read_date_options(dates or ()),
        tuple(unit or ()),
        tuple(label or ()),
        task,
    )
    asks = not yes and table != "-"
    if large is not None:
        from evoter.cli.large.fitting import LargeOptions, try_large

        refused = {
            "--protected": bool(protected),
            "--repeat": repeat > 1,
            "--guardrail-price": guardrail_price,
            "--dates": bool(dates),
            "--task numbers": task == "numbers",
        }
        asked = LargeOptions(path, reading, choices, test, split_seed or 0, export or (), keep=not force)
        agree = partial(_agree, streams=streams, ask=asks)
        if try_large(large, refused, asked, options, streams, agree):
            return
    source = read_source(table, reading)
    protected_columns = check_protected(protected or (), source, target)
    if options.compares_groups and not protected_columns:
        raise Failure(
            "an objective or a limit compares groups of rows, and none are named", "name their columns with --protected"
        )
    plan = _agree(plan_columns(source, choices), lambda chosen: plan_columns(source, chosen), streams=streams, ask=asks)
    if plan.numbers is not None:
        from evoter.cli.numbers.fitting import fit_numbers, refuse_for_numbers

        refuse_for_numbers(options, protected_columns, repeat=repeat, price=guardrail_price)
        fit_numbers(plan, options, path, streams, test, split_seed or 0, export or (), keep=not force, quiet=quiet)
        return
    options.check()  # also where the task was not known before
    split = split_rows(plan.labels, plan.identifiers, test, split_seed or 0)
    copies = find_copies(plan, split)
    if copies.warning:
        streams.warn(copies.warning)
    if saved is not None and saved.exists():
        streams.remark(f"continuing from {saved}")
    learnt, stability, price = learn_repeatedly(
        plan, split, options, repeat, protected=protected_columns, price=guardrail_price, progress=not quiet
    )
    result = Fit(plan, split, options, learnt, copies, stability, protected_columns, price)
    written, record, kept = write_files(path, result, export or (), keep=not force)
    signals.let_go()
    if json_:
        if result.overfitting_warning:
            streams.warn(result.overfitting_warning)
        files = {"files": [str(each.path) for each in written], "kept": [str(each) for each in kept]}
        streams.write_json(record | files)
    elif not quiet:
        show_result(streams, result, record, written, kept)
    if learnt.interrupted or signals.code_of_signal() is not None:
        raise typer.Exit(ExitCode.INTERRUPTED)


def _refuse_contradictions(split_seed: int | None, test: float, checkpoint: str | None, repeat: int) -> None:
    """Refuse options that have no effect beside others."""
    if split_seed is not None and test == 0:
        raise Failure("--split-seed has no effect with --test 0, which holds out no rows", "leave out one of them")
    if checkpoint is not None and repeat > 1:
        raise Failure(
            "--checkpoint keeps the state of one search, not of several", "leave out --repeat or --checkpoint"
        )


def _agree(plan: "Plan", again: "Callable[[Choices], Plan]", *, streams: Streams, ask: bool) -> "Plan":
    """Show what the columns are and, in a terminal, ask whether that is correct; `again` plans with other choices."""
    from evoter.cli.fit.column_table import confirm, show_plan

    if streams.as_json or streams.quiet:
        for warning in plan.warnings:
            streams.warn(warning)
        return plan
    console = streams.console()
    show_plan(console, plan)
    if not ask or not sys.stdin.isatty() or not sys.stdout.isatty():
        return plan
    return confirm(console, plan, again)
