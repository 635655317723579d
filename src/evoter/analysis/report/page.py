"""The page of a report: what its templates show, section by section."""

from importlib import import_module

from evoter.analysis.formatting import counted, percent
from evoter.analysis.html_pages import render
from evoter.analysis.report.audit_section import fingerprints, shown_settings
from evoter.analysis.report.cases_section import cases_section
from evoter.analysis.report.data_section import data_section
from evoter.analysis.report.decisions_section import confusion_table, feature_uses
from evoter.analysis.report.material import Material
from evoter.analysis.report.rules_section import rules_section
from evoter.analysis.report.run_section import front_section, learning_section
from evoter.analysis.report.stability_section import stability_section
from evoter.analysis.rule_statistics import Confusion

_MOSTLY_ONE_LABEL = 0.8
"""Where the most frequent label has this share of the rows, accuracy says little about the others."""


def page(material: Material) -> str:
    """Return the whole page: one file without scripts that needs no network."""
    ruleset, statistics = material.ruleset, material.sample.statistics
    features = feature_uses(statistics)
    return render(
        "report/page.html.j2",
        title=material.title,
        date=material.date,
        version=str(import_module("evoter").__version__),  # also where the package runs without being installed
        n_rules=len(ruleset.rules),
        n_conditions=ruleset.n_conditions,
        n_features=len(ruleset.features_used),
        n_rows=statistics.n_rows,
        rows_called=material.rows_called,
        confusion=statistics.confusion,
        n_right=None if statistics.accuracy is None else round(statistics.accuracy * statistics.n_rows),
        n_labels=None if statistics.confusion is None else _unequal_labels(statistics.confusion),
        tiles=_tiles(material),
        rules=rules_section(material),
        matrix=confusion_table(material),
        features=features,
        most_conditions=max((n_conditions for _, n_conditions, _ in features), default=0),
        cases=cases_section(material),
        learning=learning_section(material),
        front=front_section(material),
        data=data_section(material),
        settings=shown_settings(material),
        fingerprints=fingerprints(material),
        warnings=material.warnings,
        stability=stability_section(material),
        ruleset_lines=str(ruleset).splitlines(),
    )


def _unequal_labels(confusion: Confusion) -> int | None:
    """Return the number of labels that occur, if one of them is much more frequent than the others, else None."""
    n_labels = int((confusion.matrix.sum(axis=1) > 0).sum())
    return None if n_labels < 2 or confusion.baseline < _MOSTLY_ONE_LABEL else n_labels


def _tiles(material: Material) -> list[tuple[str, str, str]]:
    """Return the figures under the heading: the name of each, its value, and a note."""
    ruleset, statistics = material.ruleset, material.sample.statistics
    tiles = []
    if statistics.confusion is not None:
        low, high = statistics.confusion.interval
        interval = f"on {material.rows_called}, {percent(low)} to {percent(high)}"
        tiles.append(("accuracy", percent(statistics.accuracy), interval))
        tiles.append(("baseline", percent(statistics.baseline), "the most frequent label"))
    tiles.append(("rules", f"{len(ruleset.rules)}", f"and a default, {counted(ruleset.n_conditions, 'condition')}"))
    tiles.append(("features", f"{len(ruleset.features_used)}", "read by the rules"))
    tiles.append((material.rows_called, f"{statistics.n_rows:,}", "behind the figures"))
    if material.train is not None:
        train = material.train.statistics
        accuracy = "without labels" if train.accuracy is None else f"accuracy there {percent(train.accuracy)}"
        tiles.append(("training rows", f"{train.n_rows:,}", accuracy))
    return tiles
