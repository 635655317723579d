"""What a fit of numbers writes: the rules, their text, the report, the record, and exports."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evoter.analysis.number_statistics import NumberStatistics, measure_numbers
from evoter.cli import signals
from evoter.cli.fit import manifest
from evoter.cli.fit.column_roles import Plan
from evoter.cli.fit.copies import Copies
from evoter.cli.fit.earlier_files import earlier_files
from evoter.cli.fit.files import Written, make_export, paths_of
from evoter.cli.fit.learning import LearningOptions
from evoter.cli.fit.record import described_data
from evoter.cli.fit.split import Split
from evoter.cli.output import Failure, json_ready
from evoter.cli.rule_files import find_form
from evoter.rules.files.writing import write_files
from evoter.rules.guardrails.document import guardrails_document
from evoter.rules.json_codec import dumps

if TYPE_CHECKING:
    from evoter.estimators.regression.regressor import EvoterRegressor


@dataclass(frozen=True, slots=True, eq=False)
class NumberFit:
    """A fit of numbers: the columns, the split, the model, and its figures on the rows of both parts."""

    plan: Plan
    split: Split
    options: LearningOptions
    model: "EvoterRegressor"
    copies: Copies
    seen: NumberStatistics
    unseen: NumberStatistics | None
    interrupted: bool
    distillation: Mapping[str, Any] | None = None
    """What is known about a twin, for its record."""

    @property
    def statistics(self) -> NumberStatistics:
        """The figures of the unseen rows, or of the training rows where there are no others."""
        return self.unseen or self.seen

    @property
    def verdict(self) -> str:
        """What to say if the rules are worth nothing; "" otherwise."""
        figures = self.statistics.figures
        is_useful = figures is None or figures.r2 > 0.0
        return "" if is_useful else "these rules are no better than always predicting the mean"

    @property
    def warnings(self) -> list[str]:
        """What a person should look at, one sentence each."""
        return [*self.plan.warnings, *filter(None, [self.copies.warning, self.verdict])]


def measure_fit(
    plan: Plan,
    split: Split,
    options: LearningOptions,
    model: "EvoterRegressor",
    copies: Copies,
    *,
    interrupted: bool,
    distillation: Mapping[str, Any] | None = None,
) -> NumberFit:
    """Return a fit with the figures of its rules on the training rows and on the test rows."""
    frame, numbers = plan.frame, np.array(plan.numbers)
    seen, unseen = (
        measure_numbers(model.ruleset_, frame[rows.tolist()], numbers[rows]) if len(rows) else None
        for rows in (split.train, split.test)
    )
    assert seen is not None
    return NumberFit(plan, split, options, model, copies, seen, unseen, interrupted, distillation)


def write_number_files(
    path: Path, fit: NumberFit, exports: Sequence[str], *, keep: bool
) -> tuple[list[Written], dict[str, Any], list[Path]]:
    """Write all files; return them, the record, and the earlier files that were kept."""
    ruleset = fit.model.ruleset_
    content = f"{dumps(ruleset)}\n".encode()
    record = _record(fit, path, content)
    _, text, page, record_file, *others = paths_of(path, exports)
    written = [
        Written(path, "the rules, for evoter predict"),
        Written(text, "the rules, to read and edit"),
        Written(page, "the report, to open in a browser"),
        Written(record_file, "the record of this fit, for audits"),
    ]
    contents = {path: content, text: f"{ruleset}\n".encode(), page: _report(fit)}
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
    return written, record, list(kept)


def _record(fit: NumberFit, path: Path, content: bytes) -> dict[str, Any]:
    model, ruleset, last = fit.model, fit.model.ruleset_, fit.model.history_.last
    return {
        **described_data(fit.plan, fit.split),
        "settings": fit.options.parameters(),
        "run": {
            "ended": "interrupted" if fit.interrupted else model.stop_reason_,
            "generations": last.generation,
            "evaluations": last.evaluations,
            "seconds": round(last.seconds, 3),
        },
        "optimised": {"metric": model.metric},
        "rules": {
            "file": path.name,
            "sha256": hashlib.sha256(content).hexdigest(),
            "rules": len(ruleset.rules),
            "conditions": ruleset.n_conditions,
            "features": list(ruleset.features_used),
        },
        "figures": {"train": fit.seen.to_dict(), "test": None if fit.unseen is None else fit.unseen.to_dict()},
        "guardrails": guardrails_document(model.guardrails_) if model.guardrails_ else None,
        **({} if fit.distillation is None else {"distillation": dict(fit.distillation)}),
        "warnings": fit.warnings,
    }


def _report(fit: NumberFit) -> bytes:
    from evoter.analysis.report.writing import report_page

    plan, split = fit.plan, fit.split
    frame, numbers = plan.frame, np.array(plan.numbers)
    names = plan.identifiers or [str(row + 1) for row in plan.rows]
    rows = (split.test if len(split.test) else split.train).tolist()
    train = split.train.tolist()
    return report_page(
        fit.model,
        frame[rows],
        numbers[rows],
        unseen=len(split.test) > 0,
        train=(frame[train], numbers[train]),
        title=f"{plan.source.name}: rules for {plan.target}",
        date=datetime.now(UTC).date().isoformat(),
        data_hash=plan.source.sha256,
        row_names=[names[row] for row in rows],
        warnings=fit.warnings,
    ).encode()
