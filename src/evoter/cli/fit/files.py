"""The files that a fit writes: rules as JSON and as text, a report, the record, and exports."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evoter.cli import signals
from evoter.cli.fit import manifest
from evoter.cli.fit.earlier_files import earlier_files
from evoter.cli.fit.outcome import Fit
from evoter.cli.fit.protected import protected_values
from evoter.cli.fit.record import make_record
from evoter.cli.fit_records import record_path
from evoter.cli.output import Failure, json_ready, writable
from evoter.cli.rule_files import find_form, formatting
from evoter.rules.files.writing import write_files as replace_files
from evoter.rules.json_codec import dumps

if TYPE_CHECKING:
    from evoter.export import Format
    from evoter.rules.model import RuleSet


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


def check_writable(path: Path, exports: Sequence[str], source: str, checkpoint: Path | None = None) -> None:
    """Refuse, before anything is learnt, unknown formats, missing directories, and files that replace others."""
    writable(path)
    table = Path(source).expanduser()
    if len(set(exports)) < len(exports):
        raise Failure("--export names a format twice", "name each format once")
    paths = paths_of(path, exports)
    if checkpoint is not None and checkpoint.resolve() in [each.resolve() for each in paths]:
        raise Failure(f"--checkpoint {checkpoint} is a file that the fit writes", "choose another name for it")
    for each in [*paths, checkpoint]:
        if source != "-" and each and each.exists() and table.exists() and each.samefile(table):
            option = "--checkpoint" if each is checkpoint else "--output"
            raise Failure(f"{str(each)!r} is the table, which would be replaced", f"choose another name with {option}")


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


def _with_named_data(ruleset: "RuleSet", source: str) -> "RuleSet":
    """Return a rule set whose counts say from which table their rows are."""
    if ruleset.counts is None:
        return ruleset
    return ruleset.replace(counts=replace(ruleset.counts, data=f"{ruleset.counts.data} of {source}"))


def write_files(
    path: Path, fit: Fit, exports: Sequence[str], *, keep: bool = True
) -> tuple[list[Written], dict[str, Any], list[Path]]:
    """Write all files of a fit, the record last; return what was written, the record, and earlier files that were kept.

    Files of an earlier fit with other rules get numbered names, unless `keep` is False. A report or an export that
    cannot be made is an error, but the other files are written.
    """
    ruleset = _with_named_data(fit.learnt.model.ruleset_, fit.plan.source.name)
    content = f"{dumps(ruleset)}\n".encode()
    described = {
        "file": path.name,
        "sha256": hashlib.sha256(content).hexdigest(),
        "rules": len(ruleset.rules),
        "conditions": ruleset.n_conditions,
        "features": list(ruleset.features_used),
    }
    _, text, page, record_file, *others = paths_of(path, exports)
    contents = {path: content, text: f"{ruleset}\n".encode()}
    written = [
        Written(path, "the rules, for evoter predict"),
        Written(text, "the rules, to read and edit"),
        Written(page, "the report, to open in a browser"),
        Written(record_file, "the record of this fit, for audits"),
    ]
    title = f"{fit.plan.source.name}: rules for {fit.plan.target}"
    makers: dict[Path, Callable[[], bytes]] = {page: partial(make_page, fit, title=title)}
    for form, exported in zip(map(find_form, exports), others, strict=True):
        makers[exported] = partial(make_export, form, ruleset, path)
        written.append(Written(exported, f"the rules as {form.title}"))
    failed: dict[Path, Exception] = {}
    for each, make in makers.items():
        try:
            contents[each] = make()
        except Exception as error:
            failed[each] = error
    kept = earlier_files(path, paths_of(path, exports), contents) if keep else {}
    record = make_record(fit, described)
    record[manifest.KEY] = manifest.make_manifest(record_file, contents, failed)
    contents[record_file] = f"{json.dumps(json_ready(record), ensure_ascii=False, indent=2)}\n".encode()
    replace_files(kept | contents, signals.uninterrupted())
    if failed:
        raise next(iter(failed.values()))
    return written, record, list(kept)


def make_page(fit: Fit, *, title: str) -> bytes:
    """Return the report on a fit, about the test rows if there are any."""
    from evoter.analysis.report.writing import report_page

    plan, split, learnt = fit.plan, fit.split, fit.learnt
    frame, labels = plan.frame, list(plan.labels)
    numbers = plan.rows if fit.large is None else fit.large.sampled[list(plan.rows)].tolist()
    names = plan.identifiers or [str(row + 1) for row in numbers]
    if plan.rows_repeat_identifiers:
        names = [f"{row + 1} ({plan.identifier} {name})" for row, name in zip(numbers, names, strict=True)]
    rows = (split.test if len(split.test) else split.train).tolist()
    train = split.train.tolist()
    protected, audited = protected_values(fit, rows), None
    if protected:
        from evoter.fairness.audit import audit

        audited = audit(learnt.model, frame[rows], [labels[row] for row in rows], protected=protected)
    return report_page(
        learnt.model,
        frame[rows],
        [labels[row] for row in rows],
        unseen=len(split.test) > 0,
        train=(frame[train], [labels[row] for row in train]),
        title=title,
        date=datetime.now(UTC).date().isoformat(),
        data_hash=plan.source.sha256,
        row_names=[names[row] for row in rows],
        warnings=fit.warnings,
        protected=protected,
        audit=audited,
        stability=None if fit.stability is None else fit.stability.to_dict(),
        rows_per_case=fit.rows_per_case,
    ).encode()


def make_export(form: "Format", ruleset: "RuleSet", rules: Path) -> bytes:
    """Return the rules in a format; what it cannot say is a failure that says where the rules are."""
    with formatting(f"--export {form.name}", f"the rules are in {rules}"):
        made = form.make(ruleset)
    return made if isinstance(made, bytes) else (made if made.endswith("\n") else f"{made}\n").encode()
