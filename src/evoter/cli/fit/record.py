"""The record of a fit, for audits: data, columns, split, settings, run and figures, with checksums."""

import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from evoter.cli.fit.date_columns import words_by_column
from evoter.cli.fit.protected import described_groups
from evoter.cli.fit_records import RECORD_FORMAT, RECORD_VERSION
from evoter.rules.guardrails.document import guardrails_document

if TYPE_CHECKING:
    from evoter.analysis.rule_statistics import RuleStatistics
    from evoter.cli.fit.column_roles import Plan
    from evoter.cli.fit.outcome import Fit
    from evoter.cli.fit.split import Split

_PACKAGES = ("numpy", "numba", "scikit-learn", "polars")


def make_record(fit: "Fit", rules: Mapping[str, object]) -> dict[str, Any]:
    """Return the record of a fit; `rules` describes the rule file."""
    plan, split, options, learnt = fit.plan, fit.split, fit.options, fit.learnt
    model = learnt.model
    last = model.history_.last
    described = described_data(plan, split)
    if fit.large is not None:
        described |= fit.large.to_record(split)
        described["data"]["rows"] = fit.large.n_rows
        described["data"]["sampled_rows"] = len(fit.large.sampled)
    samples = model.row_samples_
    return {
        **described,
        "settings": options.parameters(),
        "run": {
            "ended": "interrupted" if learnt.interrupted else model.stop_reason_,
            "generations": last.generation,
            "evaluations": last.evaluations,
            "seconds": round(last.seconds, 3),
            "training_rows": samples.n_rows,
            "evaluated_rows": samples.n_evaluated,
            "exact_move_rows": samples.n_refined,
        },
        "optimised": learnt.optimised.to_dict(),
        "rules": dict(rules),
        "figures": {
            "train": figures(learnt.seen),
            "test": None if learnt.unseen is None else figures(learnt.unseen),
        },
        "overfitting": None if fit.overfitting is None else fit.overfitting.to_dict(),
        "duplicates": fit.duplicates,
        "stability": None if fit.stability is None else fit.stability.to_dict(),
        "groups": described_groups(fit),
        "guardrails": guardrails_document(model.guardrails_) if model.guardrails_ else None,
        "guardrail_price": None if fit.price is None else fit.price.to_dict(),
        **({} if fit.distillation is None else {"distillation": dict(fit.distillation)}),
        "warnings": [*fit.warnings, *filter(None, [fit.overfitting_warning])],
    }


def described_data(plan: "Plan", split: "Split") -> dict[str, Any]:
    """Return what a record says about the software, the table, its columns and the split."""
    source = plan.source
    return {
        "format": RECORD_FORMAT,
        "version": RECORD_VERSION,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": _versions(),
        "data": {"file": source.name, "sha256": source.sha256, "rows": source.n_rows, "columns": len(source.names)},
        "reading": {
            "header": source.options.header,
            "sheet": source.options.sheet,
            "encoding": source.options.encoding,
            "missing": list(source.missing),
        },
        "target": plan.target,
        "cuts": list(plan.choices.cuts),
        "labels": dict(plan.class_names),
        "units": plan.units,
        "id": plan.identifier,
        "id_recognised": plan.identifier is not None and plan.choices.identifier is None,
        "dates": words_by_column(plan.choices.dates),
        "task": "classes" if plan.numbers is None else "numbers",
        "classes": plan.class_counts if plan.numbers is None else {},
        "rows_without_label": plan.n_unlabelled,
        "columns": [
            {
                "name": view.name,
                "part": plan.role(view),
                "kind": str(view.kind),
                "missing": view.report.n_missing,
                "read_as_missing": list(view.placeholders),
                "unit": view.fields.unit,
                "read_as": view.fields.cells,
                "note": view.note,
                "warning": "; ".join(view.warnings),
            }
            for view in plan.views
        ],
        "split": split.to_dict(),
    }


def figures(statistics: "RuleStatistics") -> dict[str, Any]:
    """Return accuracy with its interval, the accuracy of a constant answer, and the statistics of each rule."""
    described = statistics.to_dict()
    assert statistics.confusion is not None
    balanced = statistics.confusion.balanced_accuracy
    return {"rows": described.pop("n_rows"), "balanced_accuracy": balanced, **described}


def _versions() -> dict[str, str]:
    import evoter

    found = {"evoter": evoter.__version__, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
