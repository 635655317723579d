"""A fit whose target has numbers: the rules, learnt and tested, their files, and what is shown at the end."""

import hashlib
import json
import warnings
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import typer
from rich.markup import escape

from evoter.analysis.formatting import counted
from evoter.analysis.number_statistics import NumberStatistics, measure_numbers
from evoter.cli import signals
from evoter.cli.fit import manifest
from evoter.cli.fit.column_roles import Plan
from evoter.cli.fit.copies import find_copies
from evoter.cli.fit.earlier_files import earlier_files
from evoter.cli.fit.files import Written, make_export, paths_of
from evoter.cli.fit.learning import NUMBER_METRICS, LearningOptions, with_cell_reading
from evoter.cli.fit.record import described_data
from evoter.cli.fit.split import Split
from evoter.cli.output import ExitCode, Failure, Streams, heading, json_ready, nearest, say, size, split_hint
from evoter.cli.rule_files import find_form
from evoter.rules.files.writing import write_files
from evoter.rules.guardrails.document import guardrails_document
from evoter.rules.json_codec import dumps
from evoter.rules.printing.pieces import visible

if TYPE_CHECKING:
    from evoter.estimators.regression.regressor import EvoterRegressor
    from evoter.evolution.engine import Evolution


def refuse_for_numbers(options: LearningOptions, protected: Sequence[str], *, repeat: int, price: bool) -> None:
    """Refuse options that are about classes, or that a fit of numbers does not have."""
    rails = options.guardrails.parameters()
    refused = {
        "--balanced": options.balanced,
        "--protected": bool(protected),
        "--repeat": repeat > 1,
        "--guardrail-price": price,
        "--forbid": bool(rails.get("forbidden")),
        "--monotone": bool(rails.get("monotone")),
        "--monotone-order": bool(rails.get("monotone_order")),
    }
    for option, given in refused.items():
        if given:
            raise Failure(
                f"{option} is for classes, and numbers are predicted here", f"omit {option}, or add --task classes"
            )
    if options.metric is not None and options.metric not in NUMBER_METRICS:
        hint = nearest(options.metric, NUMBER_METRICS, f"known: {', '.join(NUMBER_METRICS)}")
        raise Failure(f"{options.metric!r} is no metric of numbers", hint)


def fit_numbers(
    plan: Plan,
    options: LearningOptions,
    path: Path,
    streams: Streams,
    share: float,
    seed: int,
    exports: Sequence[str],
    *,
    keep: bool,
    quiet: bool,
) -> None:
    """Learn rules that predict numbers, test them on held-out rows, write their files and show them."""
    split = split_numbers(plan, share, seed)
    copies = find_copies(plan, split)
    if copies.warning:
        streams.warn(copies.warning)
    model, interrupted = _learn(plan, split, options, progress=not quiet)
    frame, numbers = plan.frame, np.array(plan.numbers)
    ruleset = model.ruleset_
    seen = measure_numbers(ruleset, frame[split.train.tolist()], numbers[split.train])
    unseen = measure_numbers(ruleset, frame[split.test.tolist()], numbers[split.test]) if len(split.test) else None
    warned = [*plan.warnings, *filter(None, [copies.warning, _verdict(unseen or seen)])]
    content = f"{dumps(ruleset)}\n".encode()
    record: dict[str, Any] = {
        **described_data(plan, split),
        "settings": options.parameters(),
        "run": {
            "ended": "interrupted" if interrupted else model.stop_reason_,
            "generations": model.history_.last.generation,
            "evaluations": model.history_.last.evaluations,
            "seconds": round(model.history_.last.seconds, 3),
        },
        "optimised": {"metric": model.metric},
        "rules": {
            "file": path.name,
            "sha256": hashlib.sha256(content).hexdigest(),
            "rules": len(ruleset.rules),
            "conditions": ruleset.n_conditions,
            "features": list(ruleset.features_used),
        },
        "figures": {"train": seen.to_dict(), "test": None if unseen is None else unseen.to_dict()},
        "guardrails": guardrails_document(model.guardrails_) if model.guardrails_ else None,
        "warnings": warned,
    }
    _, text, page, record_file, *others = paths_of(path, exports)
    written = [
        Written(path, "the rules, for evoter predict"),
        Written(text, "the rules, to read and edit"),
        Written(page, "the report, to open in a browser"),
        Written(record_file, "the record of this fit, for audits"),
    ]
    contents = {path: content, text: f"{ruleset}\n".encode(), page: _report(plan, split, model, warned)}
    failed: dict[Path, Exception] = {}
    for form, exported in zip(map(find_form, exports), others, strict=True):
        written.append(Written(exported, f"the rules as {form.title}"))
        try:
            contents[exported] = make_export(form, ruleset, path)
        except Failure as error:
            failed[exported] = error
    kept = earlier_files(path, paths_of(path, exports), contents) if keep else {}
    record[manifest.KEY] = manifest.make_manifest(record_file, contents, failed)
    contents[record_file] = f"{json.dumps(json_ready(record), ensure_ascii=False, indent=2)}\n".encode()
    write_files(kept | contents, signals.uninterrupted())
    if failed:
        raise next(iter(failed.values()))
    signals.let_go()
    if streams.as_json:
        files = {"files": [str(each.path) for each in written], "kept": [str(each) for each in kept]}
        streams.write_json(record | files)
    elif not quiet:
        _show(streams, plan, seen, unseen, written, list(kept))
    if interrupted or signals.code_of_signal() is not None:
        raise typer.Exit(ExitCode.INTERRUPTED)


def split_numbers(plan: Plan, share: float, seed: int) -> Split:
    """Hold out a share of the rows at random; rows with the same identifier stay together."""
    if not 0.0 <= share <= 0.9:
        raise Failure(f"--test {share:g} is out of range", "hold out 0 to 0.9 of the rows, such as --test 0.25")
    rows = np.arange(len(plan.rows), dtype=np.int64)
    if share == 0.0:
        return Split(rows, rows[:0], share, seed)
    names = plan.identifiers
    grouped = names is not None and len(set(names)) < len(names)
    groups = np.unique(names, return_inverse=True)[1] if grouped and names is not None else rows
    cases = np.unique(groups)
    n_test = round(share * len(cases))
    if not 0 < n_test < len(cases):
        raise Failure(f"there are too few rows to hold out {share:.0%} of them", "use --test 0")
    drawn = np.random.default_rng(seed).permutation(cases)[:n_test]
    held_out = np.isin(groups, drawn)
    return Split(rows[~held_out], rows[held_out], share, seed, grouped=bool(grouped))


def _learn(plan: Plan, split: Split, options: LearningOptions, *, progress: bool) -> "tuple[EvoterRegressor, bool]":
    from evoter.estimators.regression.regressor import EvoterRegressor
    from evoter.execution import ClusterError
    from evoter.tables import ColumnWarning

    notice = "keeping the best rules so far; once more ends at once" if progress else None

    def ends(evolution: "Evolution", progress: float) -> bool:
        signals.keep(notice)
        return signals.code_of_signal() is not None

    numbers = np.array(plan.numbers)
    frame, train = plan.frame, split.train.tolist()
    try:
        model = EvoterRegressor(
            **options.parameters(),
            categorical=plan.categorical,
            units=plan.units or None,
            target_name=plan.target,
            checkpoint=options.checkpoint,
            executor=options.executor,
            watchers=[ends],
            verbose=int(progress),
        )
        model.max_seconds = options.seconds_left(0.0)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="interrupted", category=UserWarning)
            warnings.filterwarnings("ignore", category=ColumnWarning)  # shown already
            warnings.showwarning = lambda message, *_, **__: say(f"warning: {message}", "yellow") if progress else None
            model.fit(frame[train], numbers[train])
    except (ValueError, TypeError, ClusterError) as error:
        message, hint = split_hint(str(error))
        raise Failure(message, hint or "evoter fit --help lists what can be set") from None
    model.max_seconds = options.seconds
    signals.keep(notice)
    model.ruleset_ = with_cell_reading(model.ruleset_, plan)
    return model, signals.code_of_signal() is not None or model.stop_reason_ == "interrupted"


def _report(plan: Plan, split: Split, model: "EvoterRegressor", warned: Sequence[str]) -> bytes:
    from evoter.analysis.report.writing import report_page

    frame, numbers = plan.frame, np.array(plan.numbers)
    names = plan.identifiers or [str(row + 1) for row in plan.rows]
    rows = (split.test if len(split.test) else split.train).tolist()
    train = split.train.tolist()
    return report_page(
        model,
        frame[rows],
        numbers[rows],
        unseen=len(split.test) > 0,
        train=(frame[train], numbers[train]),
        title=f"{plan.source.name}: rules for {plan.target}",
        date=datetime.now(UTC).date().isoformat(),
        data_hash=plan.source.sha256,
        row_names=[names[row] for row in rows],
        warnings=warned,
    ).encode()


def _verdict(statistics: NumberStatistics) -> str:
    if statistics.figures is None or statistics.figures.r2 > 0.0:
        return ""
    return "these rules are no better than always predicting the mean"


def _show(
    streams: Streams,
    plan: Plan,
    seen: NumberStatistics,
    unseen: NumberStatistics | None,
    written: Sequence[Written],
    kept: Sequence[Path],
) -> None:
    console, statistics = streams.console(), unseen or seen
    where = f"on {counted(statistics.n_rows, 'unseen row' if unseen else 'row')}"
    heading(console, f"{plan.target}: {size(statistics.ruleset)}, {where}")
    for line in statistics.lines():
        console.print(escape(line), soft_wrap=True)
    console.print()
    console.print(escape(f"{'unseen rows' if unseen else 'training rows'}: {statistics.sentence()}"))
    if unseen is not None:
        console.print(f"[dim]{escape(f'training rows: {seen.sentence()}')}[/dim]")
    if warning := _verdict(statistics):
        streams.warn(warning)
    console.print()
    paths = [visible(str(each.path)) for each in written]
    width = max(map(len, paths))
    for shown, each in zip(paths, written, strict=True):
        console.print(f"  {escape(f'{shown:<{width}}')}  [dim]{each.purpose}[/dim]", soft_wrap=True)
    if kept:
        streams.remark(f"kept the earlier files as {', '.join(str(each) for each in kept)}")
