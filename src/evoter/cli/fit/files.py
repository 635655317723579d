"""The files that a fit writes: rules as JSON and as text, a report, the record, and exports."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evoter.cli.fit.column_roles import Plan
from evoter.cli.fit.learning import LearningOptions, Learnt
from evoter.cli.fit.record import make_record
from evoter.cli.fit.split import Split
from evoter.cli.fit_records import record_path
from evoter.cli.output import Failure, json_ready, writable
from evoter.cli.rule_files import find_form, formatting
from evoter.rules.files.writing import write_file
from evoter.rules.json_codec import dumps


@dataclass(frozen=True, slots=True)
class Written:
    """One file and what it is for."""

    path: Path
    purpose: str


def output_path(output: str | None, source: str) -> Path:
    """Return the path of the rule file: the one asked for, else named after the table."""
    if output is not None:
        path = Path(output).expanduser()
        if path.is_dir():
            return path / output_path(None, source)
        return path if path.suffix == ".json" else path.with_name(f"{path.name}.json")
    stem = "table" if source == "-" else Path(source).name.removesuffix(".gz")
    return Path(f"{Path(stem).stem}.rules.json")


def check_writable(path: Path, exports: Sequence[str], source: str) -> None:
    """Refuse, before anything is learnt, unknown formats, missing directories, and files that replace the table."""
    writable(path)
    table = Path(source).expanduser()
    if len(set(exports)) < len(exports):
        raise Failure("--export names a format twice", "name each format once")
    for each in paths_of(path, exports):
        if source != "-" and each.exists() and table.exists() and each.samefile(table):
            raise Failure(f"{str(each)!r} is the table, which would be replaced", "choose another name with --output")


def paths_of(path: Path, exports: Sequence[str]) -> list[Path]:
    """Return the paths of all files of a fit, named after the rule file: rules, text, report, record, exports.

    >>> [str(each) for each in paths_of(Path("data.json"), ["sql", "html"])]
    ['data.json', 'data.txt', 'data.html', 'data.fit.json', 'data.sql', 'data.export.html']
    """
    paths = [path, path.with_suffix(".txt"), path.with_suffix(".html"), record_path(path)]
    for form in map(find_form, exports):
        exported = path.with_suffix(form.suffix)
        paths.append(path.with_suffix(f".export{form.suffix}") if exported in paths else exported)
    return paths


def write_files(
    path: Path, plan: Plan, split: Split, options: LearningOptions, learnt: Learnt, exports: Sequence[str]
) -> tuple[list[Written], dict[str, Any]]:
    """Write all files of a fit; return what was written, and the record."""
    ruleset = learnt.model.ruleset_
    content = dumps(ruleset) + "\n"
    described = {
        "file": path.name,
        "sha256": hashlib.sha256(content.encode()).hexdigest(),
        "rules": len(ruleset.rules),
        "conditions": ruleset.n_conditions,
        "features": list(ruleset.features_used),
    }
    record = make_record(plan, split, options, learnt, described)
    _, text, page, record_file, *others = paths_of(path, exports)
    write_file(path, content)
    write_file(text, f"{ruleset}\n")
    write_file(record_file, json.dumps(json_ready(record), ensure_ascii=False, indent=2) + "\n")
    write_page(page, plan, split, learnt, title=f"{plan.source.name}: rules for {plan.target}")
    written = [
        Written(path, "the rules, for evoter predict"),
        Written(text, "the rules, to read and edit"),
        Written(page, "the report, to open in a browser"),
        Written(record_file, "the record of this fit, for audits"),
    ]
    for form, exported in zip(map(find_form, exports), others, strict=True):
        with formatting(f"--export {form.name}", f"the rules are in {path}"):
            form.write(ruleset, exported)
        written.append(Written(exported, f"the rules as {form.title}"))
    return written, record


def write_page(page: Path, plan: Plan, split: Split, learnt: Learnt, *, title: str) -> None:
    """Write the report on a fit, about the test rows if there are any."""
    from evoter.analysis.report.writing import write_report

    frame, labels = plan.frame, list(plan.labels)
    names = plan.identifiers or [str(row + 1) for row in plan.rows]
    rows = (split.test if len(split.test) else split.train).tolist()
    train = split.train.tolist()
    write_report(
        page,
        learnt.model,
        frame[rows],
        [labels[row] for row in rows],
        unseen=len(split.test) > 0,
        train=(frame[train], [labels[row] for row in train]),
        title=title,
        date=datetime.now(UTC).date().isoformat(),
        data_hash=plan.source.sha256,
        row_names=[names[row] for row in rows],
    )
