"""The models that are compared: what each is called, which package it comes from, and how it is made."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import evoter
from comparison.model import Evoter, Model, decision_tree, gradient_boosting, naive_bayes, random_forest
from comparison.peers import RuleKit, boosted_rules, c45, column_generation, ripper, shrunk_tree, tree_sums

LEARNING_PARTS = ("rules", "kernels", "tables", "genome", "evolution", "problems", "estimators")
"""The parts of this project that a fit depends on."""

WRAPPING = ("model", "ordered", "peers", "preparation")
"""The modules of the comparison that other models' settings and preparation stand in."""


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
        return package_version(self.package, *(Path(__file__).with_name(f"{name}.py") for name in WRAPPING))


def own_version(classifier: object) -> str:
    """Return what this project's results are results of: the source that learns, and a classifier's parameters."""
    folder = Path(evoter.__file__).parent
    sources = [path for part in LEARNING_PARTS for path in sorted((folder / part).rglob("*.py"))]
    return f"evoter {evoter.__version__} {source_digest(*sources)} {classifier!r}"


def package_version(package: str, *wrapping: Path) -> str:
    """Return what a package's results are results of: its version, and the source that wraps it."""
    return f"{package} {version(package)} {source_digest(*wrapping)}"


@cache
def source_digest(*paths: Path) -> str:
    """Return a short name for source code: while it is worked on, its version says too little."""
    seen = hashlib.sha256()
    for path in paths:
        seen.update(path.read_bytes())
    return seen.hexdigest()[:12]


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
    Entry("forest", "random forest", random_forest, transparent=False),
    Entry("boosting", "gradient boosting", gradient_boosting, transparent=False),
)

MODELS = {entry.name: entry for entry in _ENTRIES}
"""All models, by the name they have on the command line."""
