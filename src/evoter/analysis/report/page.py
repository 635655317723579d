"""The page of a report: one file without scripts that needs no network, for screens, paper and telephones."""

from importlib.resources import files

from evoter.analysis.formatting import counted
from evoter.analysis.report.audit_section import audit_section, version
from evoter.analysis.report.cases_section import cases_section
from evoter.analysis.report.data_section import data_section
from evoter.analysis.report.decisions_section import confusion_section, features_section
from evoter.analysis.report.markup import escaped, share_text
from evoter.analysis.report.material import Material
from evoter.analysis.report.rules_section import rules_section
from evoter.analysis.report.run_section import front_section, learning_section
from evoter.analysis.rule_statistics import Confusion

_SECTIONS = (
    rules_section,
    confusion_section,
    features_section,
    cases_section,
    learning_section,
    front_section,
    data_section,
    audit_section,
)

_MOSTLY_ONE_LABEL = 0.8

# Nothing is fetched and nothing is run, whatever a name in the data may say.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(material: Material) -> str:
    """Return the whole page."""
    style = files("evoter.analysis").joinpath("report.css").read_text("utf-8")
    title = escaped(material.title)
    sections = [made for made in (make(material) for make in _SECTIONS) if made]
    dated = "" if material.date is None else f" · {escaped(material.date)}"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{title}</title>",
            f"<style>\n{style}</style>",
            "</head>",
            "<body>",
            f'<header><p class="kind">Rule set report{dated}</p>\n<h1>{title}</h1>\n{_summary(material)}</header>',
            "<main>",
            *sections,
            "</main>",
            f"<footer><p>Made by EVOTER {version()}. The rules above are the whole model.</p></footer>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _summary(material: Material) -> str:
    return f'<p class="lead">{_lead(material)}</p>\n<dl class="tiles">{"".join(_tiles(material))}</dl>'


def _lead(material: Material) -> str:
    ruleset, statistics = material.ruleset, material.sample.statistics
    size = f"{counted(len(ruleset.rules), 'rule')} with {counted(ruleset.n_conditions, 'condition')}"
    reads = f"reading {counted(len(ruleset.features_used), 'feature')}"
    sentence = f"The model is {size}, {reads}."
    confusion = statistics.confusion
    if confusion is None:
        return (
            f"{sentence} The {counted(statistics.n_rows, 'row')} have no labels, so nothing is said of right and wrong."
        )
    low, high = confusion.interval
    n_right = round(confusion.accuracy * statistics.n_rows)
    return (
        f"{sentence} Of {statistics.n_rows:,} {material.rows_called}, it decides <b>{n_right:,}</b> right: "
        f"{share_text(confusion.accuracy)} (95% interval {share_text(low)} to {share_text(high)}). "
        f"Always answering with the most frequent label would be right in {share_text(confusion.baseline)}."
        f"{_balance(confusion)}"
    )


def _balance(confusion: Confusion) -> str:
    """Say what is found of each label where one of them is so frequent that accuracy says little about the others."""
    n_labels = int((confusion.matrix.sum(axis=1) > 0).sum())
    if n_labels < 2 or confusion.baseline < _MOSTLY_ONE_LABEL:
        return ""
    return (
        f" As labels are so unequal, see also how much of each is found: {share_text(confusion.balanced_accuracy)} on "
        f"average (balanced accuracy), where one answer for all comes to {share_text(1 / n_labels)}."
    )


def _tiles(material: Material) -> list[str]:
    ruleset, statistics = material.ruleset, material.sample.statistics
    tiles = []
    if statistics.confusion is not None:
        low, high = statistics.confusion.interval
        interval = f"on {material.rows_called}, {share_text(low)} to {share_text(high)}"
        tiles.append(("accuracy", share_text(statistics.accuracy), interval))
        tiles.append(("baseline", share_text(statistics.baseline), "the most frequent label"))
    tiles.append(("rules", f"{len(ruleset.rules)}", f"and a default, {counted(ruleset.n_conditions, 'condition')}"))
    tiles.append(("features", f"{len(ruleset.features_used)}", "read by the rules"))
    train = material.train
    tiles.append((material.rows_called, f"{statistics.n_rows:,}", "behind the figures"))
    if train is not None:
        accuracy = train.statistics.accuracy
        tiles.append(("training rows", f"{train.statistics.n_rows:,}", f"accuracy there {share_text(accuracy)}"))
    return [f"<div><dt>{name}</dt><dd>{value}<small>{note}</small></dd></div>" for name, value, note in tiles]
