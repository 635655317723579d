"""Which settings have an effect on a run: what each one needs of the task and of the other settings."""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from evoter.evolution.mechanisms.curriculum import Curriculum
from evoter.evolution.mechanisms.replacement import relaxes_constraints
from evoter.evolution.problem import Capability, Declaring
from evoter.evolution.settings import Settings
from evoter.kernels.conditions.codes import SET_BITS
from evoter.kernels.layout import CATEGORICAL, FIRST_CUT, KIND, LAST_CUT, N_CATEGORIES
from evoter.kernels.variation.single_conditions import MIN_SET_CATEGORIES


class Run(NamedTuple):
    """A task and its settings; `selects_by_price` if, of a front, the best at the price of parsimony is taken."""

    problem: Declaring
    settings: Settings
    selects_by_price: bool = False


class Need(NamedTuple):
    """Something that a setting needs, in words, and a test of whether a run has it."""

    what: str
    is_met: Callable[[Run], bool]


def _capability(capability: Capability, what: str) -> Need:
    return Need(what, lambda run: capability in run.problem.capabilities)


def _other(what: str, is_met: Callable[[Settings], bool]) -> Need:
    return Need(what, lambda run: is_met(run.settings))


def _has_stages(run: Run) -> bool:
    return len(Curriculum(run.problem.grammar(run.settings), run.settings).stages) > 1


def _has_categories(run: Run) -> bool:
    facts = run.problem.grammar(run.settings).features
    counts = facts[facts[:, KIND] == CATEGORICAL, N_CATEGORIES]
    return bool(((counts >= MIN_SET_CATEGORIES) & (counts <= 2 * SET_BITS)).any())


def _has_cuts(run: Run) -> bool:
    facts = run.problem.grammar(run.settings).features
    return bool((facts[:, LAST_CUT] > facts[:, FIRST_CUT]).any())


def _has_addends(run: Run) -> bool:
    grammar = run.problem.grammar(run.settings)
    return len(grammar.partners) > (0 if grammar.max_lag > 0 else 1)


def _reads_parsimony(run: Run) -> bool:
    names = [objective.name for objective in run.problem.objectives]
    refines = Capability.REFINEMENT in run.problem.capabilities and run.settings.n_refined > 0
    return len(names) == 1 or refines or (run.selects_by_price and "complexity" in names)


_REFINABLE = _capability(
    Capability.REFINEMENT,
    "refinement, which works in mode first and for scores that add up over rows: accuracy, balanced accuracy, a cost "
    "matrix, or the outcome of single actions",
)
_NOVELTY = _capability(
    Capability.NOVELTY,
    "behaviours to compare, which rule sets that take one action have, but not combinations of actions, and not "
    "policies with lags",
)
_SAMPLES = _capability(
    Capability.SAMPLES,
    "data to draw samples of, which policies do not have, and a score of any part of them, which is not so with a "
    "scorer of scikit-learn as metric or with novelty as an objective",
)
_TABLE_ROWS = _capability(
    Capability.TABLE_ROWS, "a classifier of tables, and no objectives or constraints on groups or recall"
)
_SOFT_TARGETS = _capability(
    Capability.SOFT_TARGETS, "soft targets, which only classifiers have, and not with a scorer of scikit-learn"
)
_PRUNING = _capability(
    Capability.FINAL_PRUNING,
    "a classifier with the metric accuracy, no other objectives, no constraints on groups or recall, and a mode in "
    "which one rule decides",
)
_MISSING = _capability(Capability.MISSING_VALUES, "data with missing values, which environments do not give")
_CATEGORIES = Need(f"a feature with {MIN_SET_CATEGORIES} to {2 * SET_BITS} categories", _has_categories)
_ADDENDS = Need("two numeric features that vary, or one with lags", _has_addends)
_NUMBERS = Need("a numeric feature that varies", _has_cuts)
_ELITE = Need(
    "a single objective and no constraints on groups or recall",
    lambda run: len(run.problem.objectives) == 1 and not relaxes_constraints(run.problem, run.settings),
)
_SEVERAL = Need("several objectives", lambda run: len(run.problem.objectives) > 1)
_REFINING = _other("n_refined above 0", lambda settings: settings.n_refined > 0)
_COEFFICIENTS = _other(
    "comparison_rate above 0 or constant_coefficients",
    lambda settings: settings.comparison_rate > 0.0 or settings.constant_coefficients,
)
_CROSSING = _other("crossover_rate above 0", lambda settings: settings.crossover_rate > 0.0)
_MUTATING = _other("mutation_rate above 0", lambda settings: settings.mutation_rate > 0.0)
_RULESET_LEVEL = _other("a first part of mutation_levels above 0", lambda settings: settings.mutation_levels[0] > 0.0)
_RULE_LEVEL = _other("a second part of mutation_levels above 0", lambda settings: settings.mutation_levels[1] > 0.0)
# Where certainties do not evolve, their part of the mutations changes conditions as well.
_CONDITIONS = _other(
    "a second or third part of rule_mutations above 0", lambda settings: sum(settings.rule_mutations[1:]) > 0.0
)
_CHANGES = _other(
    "a first part of condition_strategies above 0", lambda settings: settings.condition_strategies[0] > 0.0
)
_ISLANDS = _other("n_islands above 1", lambda settings: settings.n_islands > 1)
_PULSING = _other("novelty_interval above 0", lambda settings: settings.novelty_interval > 0)
_STAGES = Need(
    "kinds of conditions to unlock: comparisons or sums of features, equality of numbers, or lags", _has_stages
)
_PRICED = Need(
    'a single objective, refinement, or the objective "complexity" and no select of your own', _reads_parsimony
)

NEEDS: Final[dict[str, tuple[Need, ...]]] = {
    "population_size": (),
    "n_refined": (_REFINABLE,),
    "refinement_interval": (_REFINABLE, _REFINING),
    "refinement_moves": (_REFINABLE, _REFINING),
    "refinement_tries": (_REFINABLE, _REFINING),
    "refinement_rows": (_REFINABLE, _REFINING),
    "refinement_temperature": (_REFINABLE, _REFINING),
    "n_elites": (_ELITE,),
    "max_rules": (),
    "max_conditions": (),
    "max_initial_rules": (),
    "max_initial_conditions": (),
    "tournament_size": (),
    "parsimony": (_PRICED,),
    "crossover_rate": (),
    "crossovers": (_CROSSING,),
    "mutation_rate": (),
    "mutation_levels": (_MUTATING,),
    "ruleset_mutations": (_MUTATING, _RULESET_LEVEL),
    "rule_mutations": (_MUTATING, _RULE_LEVEL),
    "condition_strategies": (_MUTATING, _RULE_LEVEL, _CONDITIONS),
    "condition_mutations": (_MUTATING, _RULE_LEVEL, _CONDITIONS, _CHANGES),
    "prune_equivalent_rules": (_COEFFICIENTS,),
    "oversampling": (),
    "operators": (),
    "comparison_rate": (),
    "max_power": (_COEFFICIENTS,),
    "sum_rate": (_ADDENDS,),
    "set_rate": (_CATEGORIES,),
    "missing_rate": (_MISSING,),
    "uniform_constants": (),
    "constant_coefficients": (_NUMBERS,),
    "composite": (_SEVERAL,),
    "novelty_interval": (_NOVELTY,),
    "novelty_pool": (_NOVELTY, _PULSING),
    "evaluation_rows": (_TABLE_ROWS,),
    "sample_rounds": (_SAMPLES,),
    "n_age_layers": (_SAMPLES,),
    "unlock_interval": (_STAGES,),
    "unlock_stagnation": (_STAGES,),
    "n_islands": (),
    "migration_interval": (_ISLANDS,),
    "n_migrants": (_ISLANDS,),
    "majority_actions": (_PRUNING,),
    "soft_targets": (_SOFT_TARGETS,),
}
"""What each setting needs to have an effect. A test asks that every setting is listed."""

OFF: Final[dict[str, Any]] = {
    "n_refined": 0,
    "parsimony": 0.0,
    "max_power": 1,
    "sum_rate": 0.0,
    "set_rate": 0.0,
    "missing_rate": 0.0,
    "prune_equivalent_rules": False,
    "constant_coefficients": False,
    "composite": 0.0,
    "novelty_interval": 0,
    "sample_rounds": 1,
    "n_age_layers": 1,
    "unlock_interval": 0,
    "unlock_stagnation": 0,
    "n_islands": 1,
    "majority_actions": False,
    "soft_targets": 0.0,
}
"""Values that switch something off: a run without it does what they ask for."""


def check_effects(chosen: Iterable[str], base: Settings, run: Run) -> None:
    """Refuse settings that a user has chosen and that would change nothing.

    A setting that is what it would be anyway, or that switches off what the task does not have, is welcome.
    """
    for name in chosen:
        value = getattr(run.settings, name)
        if value == getattr(base, name) or (name in OFF and value == OFF[name]):
            continue
        for need in NEEDS[name]:
            if not need.is_met(run):
                raise ValueError(
                    f"the setting {name} has no effect on this run, since it needs {need.what}: leave {name} out"
                )
