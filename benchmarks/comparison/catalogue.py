"""The models that are compared: what each is called, which package it comes from, and how it is made."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from rich.console import Console

from comparison.peers import (
    RuleKit,
    boosted_rules,
    c45,
    column_generation,
    explainable_boosting,
    ripper,
    shrunk_tree,
    tree_sums,
)
from evoter.experiments.classification import preparation
from evoter.experiments.classification import table_models as models
from evoter.experiments.classification.table_models import (
    Evoter,
    Model,
    decision_tree,
    gradient_boosting,
    naive_bayes,
    random_forest,
)
from evoter.experiments.records import learning_version, source_digest

WRAPPING = (
    Path(models.__file__),
    Path(preparation.__file__),
    *(Path(__file__).with_name(f"{name}.py") for name in ("filling", "ordered", "peers")),
)
"""The modules that contain the settings and the preparation of the other models."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A model of the comparison; `transparent` if a person can read the whole of it.

    One that stays deaf to alarms while it is fitted is fitted `apart`, in a process that can be killed.
    """

    name: str
    title: str
    make: Callable[[int], Model]
    package: str = "scikit-learn"
    module: str = "sklearn"
    transparent: bool = True
    apart: bool = False

    def missing(self) -> str:
        """Say why the model cannot be made here; empty where it can."""
        try:
            import_module(self.module)
        except Exception as error:
            return f"{self.title} is left out: {self.package} does not import here ({error})"
        return ""

    def version(self) -> str:
        """Return what results are results of: a package's version, and the source that learns or that wraps it."""
        if self.package == "evoter":
            return own_version(Evoter(0).classifier)
        return package_version(self.package, *WRAPPING)


def present(entries: Iterable[Entry], log: Console, requirements: str) -> list[Entry]:
    """Return the models that can be made here, and say which cannot and what file of requirements brings them."""
    found = []
    for entry in entries:
        missing = entry.missing()
        if missing:
            log.print(f"{missing}; pip install -r {requirements}", style="yellow", highlight=False)
        else:
            found.append(entry)
    return found


def own_version(classifier: object) -> str:
    """Return what this project's results are results of: the source that learns, and a classifier's parameters."""
    return f"{learning_version()} {classifier!r}"


def package_version(package: str, *wrapping: Path) -> str:
    """Return what a package's results are results of: its version, and the source that wraps it."""
    return f"{package} {version(package)} {source_digest(*wrapping)}"


_ENTRIES = (
    Entry("evoter", "EVOTER", Evoter, "evoter", "evoter"),
    Entry("bayes", "naive Bayes", lambda seed: naive_bayes()),
    Entry("tree", "decision tree", partial(decision_tree, None)),
    Entry("tree3", "tree, depth 3", partial(decision_tree, 3)),
    Entry("tree5", "tree, depth 5", partial(decision_tree, 5)),
    Entry("hstree", "HSTree", lambda seed: shrunk_tree(), "imodels", "imodels"),
    Entry("boosted", "BoostedRules", boosted_rules, "imodels", "imodels"),
    Entry("figs", "FIGS", tree_sums, "imodels", "imodels"),
    Entry("c45", "C4.5", lambda seed: c45(), "imodels", "imodels"),
    Entry("ripper", "RIPPER", ripper, "wittgenstein", "wittgenstein"),
    Entry("brcg", "BRCG", lambda seed: column_generation(), "aix360", "aix360.algorithms.rbm"),
    Entry("rulekit", "RuleKit", lambda seed: RuleKit(), "rulekit", "rulekit.classification", apart=True),
    Entry("ebm", "EBM", explainable_boosting, "interpret-core", "interpret.glassbox"),
    Entry("forest", "random forest", random_forest, transparent=False),
    Entry("boosting", "gradient boosting", gradient_boosting, transparent=False),
)

MODELS = {entry.name: entry for entry in _ENTRIES}
"""All models, by the name they have on the command line."""
