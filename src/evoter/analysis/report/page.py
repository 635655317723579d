"""The page of a report: what its templates show, section by section."""

from importlib import import_module

from markupsafe import Markup

from evoter.analysis.formatting import counted, percent
from evoter.analysis.html_pages import render
from evoter.analysis.report.audit_section import fingerprints, shown_settings
from evoter.analysis.report.cases_section import cases_section
from evoter.analysis.report.costs_section import costs_section
from evoter.analysis.report.data_section import data_section
from evoter.analysis.report.decisions_section import confusion_table, feature_uses
from evoter.analysis.report.groups_section import groups_sections
from evoter.analysis.report.material import Material
from evoter.analysis.report.page_one import all_warnings, page_one, unequal_labels
from evoter.analysis.report.probabilities_section import probabilities_section
from evoter.analysis.report.rules_section import rules_section
from evoter.analysis.report.run_section import front_section, learning_section
from evoter.analysis.report.stability_section import stability_section

TITLES = {
    "warnings": "All warnings",
    "rules": "Each rule in detail",
    "confusion": "Right and wrong, all labels",
    "probabilities": "Probabilities",
    "costs": "Costs",
    "groups": "Groups",
    "bias": "Bias audit",
    "features": "Use of features",
    "cases": "Decisions explained",
    "stability": "How much of it is chance",
    "learning": "How the rules were found",
    "front": "What else was possible",
    "data": "Data",
    "audit": "For the record",
}
"""The sections of the appendix, in their order, with their headings."""


def page(material: Material) -> str:
    """Return the whole page: one file without scripts that needs no network."""
    ruleset, statistics = material.ruleset, material.sample.statistics
    features = feature_uses(statistics)
    rules = rules_section(material)
    first = page_one(material, rules)
    sections = {
        "warnings": all_warnings(material, rules) if first.n_more_warnings else None,
        "rules": rules,
        "confusion": confusion_table(material) if first.matrix is None or first.matrix.n_left_out else None,
        "probabilities": probabilities_section(material),
        "costs": costs_section(material),
        "groups": groups_sections(material) or None,
        "bias": None if material.audit is None else Markup(material.audit.to_html()),
        "features": features or None,
        "cases": cases_section(material),
        "stability": stability_section(material),
        "learning": learning_section(material),
        "front": front_section(material),
        "data": data_section(material),
        "audit": fingerprints(material),
    }
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
        right=statistics.confusion,
        n_right=None if statistics.accuracy is None else round(statistics.accuracy * statistics.n_rows),
        n_labels=None if statistics.confusion is None else unequal_labels(statistics.confusion),
        tiles=_tiles(material),
        first=first,
        weighted_classes=material.weighted_classes,
        titles=TITLES,
        contents=[name for name in TITLES if sections[name] is not None],
        most_conditions=max((n_conditions for _, n_conditions, _ in features), default=0),
        settings=shown_settings(material),
        ruleset_lines=str(ruleset).splitlines(),
        **sections,
    )


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
