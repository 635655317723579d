"""The parameters that estimators share: each is declared once, with its default, what it may be and what it means.

Estimators write them out in their signatures, as scikit-learn's users expect. The decorator `share_parameters` adds
their constraints and their documentation; `tests/estimators/test_run_parameters.py` compares the defaults.
"""

import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from textwrap import indent
from typing import Any, Final, TypeVar

from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from evoter.evolution.settings import PRESETS
from evoter.evolution.stopping import GENERATIONS, PATIENCE
from evoter.execution.starting import NAMES
from evoter.rules.model import RuleSet
from evoter.rules.modes import Task, modes_for

METRIC: Final = "accuracy"
"""What classifiers optimise by default."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: its name, its default, its type in words, its description, and scikit-learn's constraints on it."""

    name: str
    default: object
    kind: str
    description: str
    constraints: tuple[Any, ...]

    def __str__(self) -> str:
        heading = f"{self.name} : {self.kind}, default={_quoted(self.default)}"
        return f"{heading}\n{indent(self.description, '    ')}"


def _quoted(default: object) -> str:
    return f'"{default}"' if isinstance(default, str) else repr(default)


def _by_name(*parameters: Parameter) -> dict[str, Parameter]:
    return {parameter.name: parameter for parameter in parameters}


_MODES = tuple(mode.value for mode in modes_for(Task.CLASSIFICATION))
_COUNT = Interval(Integral, 1, None, closed="left")

RUN_PARAMETERS: Final = _by_name(
    Parameter(
        "preset",
        "default",
        '{"default", "paper"}',
        'Where settings come from: "paper" is the algorithm of the paper and nothing else.',
        (StrOptions(set(PRESETS)),),
    ),
    Parameter("generations", GENERATIONS, "int", "Maximum number of generations.", (_COUNT,)),
    Parameter(
        "patience",
        PATIENCE,
        "int or None",
        "Stop after this number of generations without improvement; None never does.",
        (_COUNT, None),
    ),
    Parameter(
        "max_seconds",
        None,
        "float or None",
        "Stop after this number of seconds from the call of `fit`. They include reading the data and finishing the\n"
        "rules, but not compiling the kernels of a fresh installation. A run that ends by time is not repeatable.",
        (Interval(Real, 0, None, closed="neither"), None),
    ),
    Parameter(
        "target_score",
        None,
        "float or None",
        "Stop when the training score, or with several objectives the hypervolume, is this good.",
        (Interval(Real, None, None, closed="neither"), None),
    ),
    Parameter(
        "population_size",
        None,
        "int or None",
        "Number of rule sets in a generation; None is the preset's value.",
        (Interval(Integral, 2, None, closed="left"), None),
    ),
    Parameter(
        "n_islands",
        None,
        "int or None",
        "Number of populations of this size, which evolve apart and exchange their best individuals every\n"
        "`migration_interval` generations (a setting). Criteria, watchers and checkpoints come only then. None is the\n"
        "preset's value, one population.",
        (_COUNT, None),
    ),
    Parameter(
        "max_rules",
        None,
        "int or None",
        "Maximum number of rules of a rule set; None is the preset's value.",
        (_COUNT, None),
    ),
    Parameter(
        "max_conditions",
        None,
        "int or None",
        "Maximum number of conditions of a rule; None is the preset's value.",
        (_COUNT, None),
    ),
    Parameter(
        "parsimony",
        None,
        "float or None",
        "The score that a condition must bring. None follows from the data: for classifiers it is a tenth of the\n"
        "standard error of held-out decisions (see `evoter.problems.classification.preparation`), for prescriptors\n"
        '0.06 of the uncertainty of the score, and 0 for the preset "paper".',
        (Interval(Real, 0, None, closed="left"), None),
    ),
    Parameter(
        "forms",
        None,
        "str, sequence of str, or None",
        'What conditions may look like: "constants" (`age > 65`, always among them), "sets" (`month in {jan, feb}`),\n'
        '"sums" (`height + 0.5*weight > 200`), "comparisons" (`0.5*width <= height`), or "all" of these. None is\n'
        "constants, sets and sums for tables, constants and comparisons for series and policies, and what the paper\n"
        'has for the preset "paper". Settings such as `sum_rate` say how often a form is drawn.',
        (str, list, tuple, None),
    ),
    Parameter(
        "settings",
        None,
        "mapping or None",
        "Any other settings by name; see `evoter.evolution.settings.Settings`. One that has no effect on this run is\n"
        "an error.",
        (Mapping, None),
    ),
    Parameter(
        "categorical",
        "auto",
        '"auto" or sequence of names or positions',
        "Columns that hold numbers but mean categories; text and categorical types are recognised.",
        (StrOptions({"auto"}), "array-like"),
    ),
    Parameter(
        "units",
        None,
        "mapping or None",
        "The units of some numeric columns by name; rules print them, and compare only features of equal unit.",
        (Mapping, None),
    ),
    Parameter(
        "select",
        None,
        "str, mapping, callable or None",
        'Which candidate of the front the model becomes: a way of `Front.select` such as "knee", its arguments by\n'
        'name such as {"at_most": {"conditions": 8}}, or a function of the front. None is the best at the price of\n'
        '`parsimony` per condition if "complexity" is an objective, else the best in the first objective.\n'
        "With one objective, the candidates are the distinct rule sets of the last generation whose score, less\n"
        "`parsimony` per condition, is within half of its uncertainty of the best (for accuracy 0.5 over the root of\n"
        "the number of distinct rows), at most 100, in `finalists_`. They are scored by the measure and complexity;\n"
        '"best" and "neighbours" take the measure less `parsimony` per condition. None is then the best of all.',
        (str, Mapping, callable, None),
    ),
    Parameter(
        "initial_rulesets",
        (),
        "sequence of RuleSet",
        "Rule sets to start from, a person's or an earlier run's. Features, categories and actions are found by name.",
        (list, tuple),
    ),
    Parameter(
        "checkpoint",
        None,
        "path or None",
        "A file for the state of the run, written every ten seconds and at the end. If it exists already, the run\n"
        "continues from there; a file of other data, settings or another seed is refused.",
        (str, os.PathLike, None),
    ),
    Parameter(
        "watchers",
        (),
        "sequence of callables",
        "Called as `watcher(evolution, progress)` after each generation; True ends the run.",
        (list, tuple),
    ),
    Parameter(
        "n_jobs",
        None,
        "int or None",
        "Number of threads; None means 1, -1 all cores. The result does not depend on it.",
        (Integral, None),
    ),
    Parameter(
        "executor",
        "threads",
        '"threads", "processes", "ray" or executor',
        "Where populations are evaluated: in `n_jobs` threads of this process, or by workers on a Ray cluster, of\n"
        'which `evoter.execution.RayExecutor(address=...)` says which. With "processes", islands evolve in `n_jobs`\n'
        "processes of this machine, and all else is done in threads. The result does not depend on it.",
        (StrOptions(set(NAMES)), HasMethods(["start"])),
    ),
    Parameter(
        "random_state",
        None,
        "int, RandomState or None",
        "The seed. None draws a new one for every run, but a run that finds its checkpoint continues with the seed of\n"
        "the checkpoint.",
        ("random_state",),
    ),
    Parameter("verbose", 0, "int", "1 shows progress in a terminal, and nothing in a pipe.", ("verbose",)),
)
"""What all estimators share, in the order of the documentation."""

CLASSIFIER_PARAMETERS: Final = _by_name(
    Parameter(
        "metric",
        METRIC,
        "str, callable, array or mapping",
        'What is optimised: "accuracy", "balanced_accuracy", "f1_macro", "matthews", "log_loss", "roc_auc",\n'
        '"average_precision" or "brier" (compiled; the last three not in mode "vote"); a cost\n'
        "matrix (rows true, columns predicted) or a mapping from (true, predicted) to a cost; any scikit-learn scorer\n"
        "or its name (slow).",
        (str, callable, "array-like", Mapping),
    ),
    Parameter(
        "objectives",
        None,
        "sequence of str or None",
        'Several objectives to trade off: a measure by the names of `metric` ("metric" for what `metric` is), then\n'
        'one or more of "complexity" (conditions), "rules", "features", "feature_cost", "rare_rules" (the share of\n'
        'rules that decide fewer than five rows), "novelty" (deciding differently from the others), and the measures\n'
        "of groups and of recall of `constraints`. The result is a front, and `parsimony` affects only refinement and\n"
        "`select`.",
        (list, tuple, None),
    ),
    Parameter(
        "constraints",
        None,
        "mapping or None",
        'Upper limits of "complexity", "rules", "features", "feature_cost" and "rare_rules", such as\n'
        '{"complexity": 8}; of differences between the groups of `fit(X, y, protected=...)`, such as\n'
        '{"selection_rate_difference": 0.05} or {"false_negative_rate_difference(yes)": 0.05}, where the class in\n'
        'brackets is the favourable one; lower limits of ratios between groups, {"selection_rate_ratio": 0.8}, and of\n'
        'the share of a class that is found, {"recall(malignant)": 0.95}. Rule sets that keep all constraints beat\n'
        "those that do not, whatever their scores; a `ConstraintWarning` says by how much none keeps those on groups\n"
        "and recall.",
        (Mapping, None),
    ),
    Parameter(
        "feature_prices",
        None,
        "mapping or None",
        'What "feature_cost" adds up, by the names of features; others are free.',
        (Mapping, None),
    ),
    Parameter(
        "mode",
        "first",
        f"{{{', '.join(map(_quoted, _MODES))}}}",
        "How rules become a decision.",
        (StrOptions(set(_MODES)),),
    ),
    Parameter(
        "class_weight",
        None,
        '"balanced", mapping or None',
        'Weights of classes, beside those of rows; "balanced" gives every class the same total weight.',
        (StrOptions({"balanced"}), Mapping, None),
    ),
)
"""What classifiers share beside these."""

GUARDRAIL_PARAMETERS: Final = _by_name(
    Parameter(
        "pinned",
        (),
        "str, RuleSet or sequence of Rule or str",
        "Rules that come before all others, in their order, whatever evolves.",
        (str, RuleSet, list, tuple),
    ),
    Parameter(
        "forbidden_features",
        (),
        "sequence of str or int",
        "Features that no rule reads, by name or, in arrays, by position. Unlike columns that are left out, they may\n"
        "be part of the table, for example to compare groups afterwards.",
        (list, tuple),
    ),
    Parameter(
        "forbidden",
        (),
        "str or sequence of str or pairs",
        'Where an action or class must not be decided: "creatinine > 1.5 -> never metformin", or a pair of the\n'
        'context and the action, ("creatinine > 1.5", "metformin"). Rules for it hold only where it is known to be\n'
        "allowed, and one that is always allowed becomes the default.",
        (str, list, tuple),
    ),
    Parameter(
        "monotone",
        None,
        "mapping or None",
        'Features by name, each "increasing" (or 1) or "decreasing" (or -1): as its value rises, the decision never\n'
        "moves the other way in the order of the classes or actions. For the modes first and hardmax.",
        (Mapping, None),
    ),
    Parameter(
        "monotone_order",
        None,
        "sequence or None",
        "The classes or actions from the lowest to the highest; None is their own order, if there are two.",
        ("array-like", None),
    ),
)
"""Guardrails, which are the same for all estimators; see `evoter.rules.guardrails`."""

_Estimator = TypeVar("_Estimator", bound=type)

_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
_ENTRY = re.compile(r"^(\w+(?:, \w+)*) : ", re.MULTILINE)


def share_parameters(*tables: Mapping[str, Parameter]) -> Callable[[_Estimator], _Estimator]:
    """Return a class decorator that adds the shared parameters of an estimator's signature to what it says of its own.

    A parameter that the class documents or constrains itself stays as it is there.
    """
    shared = {name: parameter for table in tables for name, parameter in table.items()}

    def decorate(estimator: _Estimator) -> _Estimator:
        names = [name for name in inspect.signature(estimator).parameters if name in shared]
        constraints = {name: list(shared[name].constraints) for name in names}
        own = getattr(estimator, "_parameter_constraints", {})
        estimator._parameter_constraints = {**constraints, **own}  # type: ignore[attr-defined]
        if estimator.__doc__ is not None:  # there is none with python -OO
            estimator.__doc__ = _completed(estimator.__doc__, [shared[name] for name in names])
        return estimator

    return decorate


def documented_parameters(documentation: str | None) -> tuple[str, ...]:
    """Return the names of the parameters that a class documents, in their order."""
    section = _parameter_section(inspect.cleandoc(documentation or ""))[1]
    return tuple(name for names in _ENTRY.findall(section) for name in names.split(", "))


def _completed(documentation: str, shared: Iterable[Parameter]) -> str:
    """Return documentation whose section of parameters ends with the shared ones that it does not have."""
    before, section, after = _parameter_section(inspect.cleandoc(documentation))
    own = documented_parameters(documentation)
    entries = [section.strip("\n"), *(str(each) for each in shared if each.name not in own)]
    return before + "\n".join(entry for entry in entries if entry) + "\n\n" + after


def _parameter_section(documentation: str) -> tuple[str, str, str]:
    """Return what is before, in and after the section of parameters, the first one; its heading ends the first part.

    Documentation without this section gets the heading.
    """
    first, *later = [*_SECTION.finditer(documentation), None]
    if first is None or first[1] != "Parameters":
        end = len(documentation) if first is None else first.start()
        return f"{documentation[:end].rstrip()}\n\nParameters\n----------\n", "", documentation[end:]
    end = len(documentation) if later[0] is None else later[0].start()
    return documentation[: first.end()], documentation[first.end() : end], documentation[end:]
