"""Modules that version 0.1 documented under other names: importing one still works, with a DeprecationWarning."""

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.abc import Loader, MetaPathFinder
else:  # importing these, or typing, takes longer than all the rest of `import evoter`
    Loader = MetaPathFinder = object

MOVED = {
    "evoter.analysis.boundary_display": "evoter.analysis.displays.boundary_display",
    "evoter.analysis.complexity": "evoter.analysis.displays.complexity_display",
    "evoter.analysis.complexity_display": "evoter.analysis.displays.complexity_display",
    "evoter.analysis.coverage_display": "evoter.analysis.displays.coverage_display",
    "evoter.analysis.evolution_display": "evoter.analysis.displays.evolution_display",
    "evoter.analysis.pareto_display": "evoter.analysis.displays.pareto_display",
    "evoter.analysis.proportions": "evoter.analysis.intervals",
    "evoter.analysis.series_display": "evoter.analysis.displays.series_display",
    "evoter.estimators.policy_value": "evoter.estimators.prescription.policy_value",
    "evoter.estimators.recommendation": "evoter.estimators.prescription.recommendation",
    "evoter.estimators.rule_policy": "evoter.estimators.control.rule_policy",
    "evoter.estimators.stream": "evoter.estimators.series.windowed_stream",
    "evoter.estimators.trials": "evoter.estimators.prescription.trials",
    "evoter.estimators.windows": "evoter.estimators.series.windows",
    "evoter.evolution.front": "evoter.evolution.fronts.front",
    "evoter.evolution.vectors": "evoter.experiments.prescription.vector_evolution",
    "evoter.problems.guardrails": "evoter.rules.guardrails.guardrails",
    "evoter.problems.network": "evoter.experiments.prescription.networks",
    "evoter.problems.on_demand": "evoter.problems.prescription.on_demand",
    "evoter.problems.prescription.guardrails": "evoter.rules.guardrails.guardrails",
}
"""The old name of each documented module that has moved, and where it is now."""


class _Alias(Loader):
    """Gives the module under its new name to whoever imports it under its old one."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(MOVED[spec.name])
        warnings.warn(f"{spec.name} is now {module.__name__}; import it from there", DeprecationWarning, stacklevel=5)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: the module was executed under its new name."""


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, _Alias()) if fullname in MOVED else None


_FINDER = _Finder()


def install() -> None:
    """Let Python find the modules under their old names; only imports that nothing else answers come here."""
    if _FINDER not in sys.meta_path:
        sys.meta_path.append(_FINDER)
