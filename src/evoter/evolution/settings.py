"""Every size and probability of evolution, with documented defaults and the presets."""

import math
import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from numbers import Integral, Real
from typing import Self

import numpy as np

from evoter.genome.grammar import cumulative
from evoter.kernels.layout import Rates
from evoter.renamed import renamed_to
from evoter.rules.errors import did_you_mean
from evoter.rules.model import MAX_POWER

MAX_AGE_LAYERS = 6
"""Maximum number of age layers: individuals of the sixth have seen a thousand samples."""

_TRIPLE = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the genetic algorithm; tuples are relative frequencies.

    Sizes
        `population_size` individuals, of which the `n_elites` best survive unchanged, at least the very best; at most
        `max_rules` rules of `max_conditions` conditions; random rule sets start with up to `max_initial_rules` rules
        of `max_initial_conditions` conditions.
    Selection
        Parents are the best of `tournament_size` drawn at random. Each condition costs `parsimony` of the score.
    Refinement
        Every `refinement_interval` generations, `n_refined` of the children (at most half) are not bred but refined:
        a parent takes `refinement_moves` exact moves, each the best change of one condition, or the best new rule,
        among up to `refinement_tries` features and pairs of features drawn at random, evaluated on no more than
        `refinement_rows` rows. At first it also accepts losses, up to about `refinement_temperature` of what chance may
        move the score by. Where the best rule set has more than 16 conditions, fewer children are refined, with more
        moves each (up to four times as many) at a lower temperature. It needs a score that adds up over rows; other
        tasks run without it.
    Variation
        A child comes from crossover with probability `crossover_rate` (single point, uniform, combine rules:
        `crossovers`), else it is a copy; then it is mutated once with probability `mutation_rate`, at the level of the
        rule set or of a rule (`mutation_levels`). Rule sets: add, remove, default, reorder (`ruleset_mutations`).
        Rules: action, certainty, conditions (`rule_mutations`); conditions are changed, removed or added
        (`condition_strategies`) and a change is a perturbation, another operator, lag or feature
        (`condition_mutations`). With `prune_equivalent_rules`, the later one of two rules of a child that are logically
        equivalent is dropped, else only of two that are equal. `oversampling` times as many children are bred as are
        evaluated, and duplicates are dropped: with 2 or more, hardly any rule set is evaluated twice.
    Grammar
        `operators` for = != < <= > >=; `sum_rate` of random conditions on numbers are weighted sums of two features
        (exact moves try sums as often as single features, unless it is 0), and `comparison_rate` of the others compare
        two features, with powers up to `max_power`; `set_rate` of conditions on categories test for sets of them, and
        `missing_rate` of those on features with missing values test for these; `uniform_constants` draws constants
        evenly between the feature's ends instead of evenly among the data; with `constant_coefficients`, comparisons of
        order with a constant have a coefficient and a power, too, which add nothing and are removed in the end.
    Several objectives
        NSGA-II ranks each objective plus `composite` times all others, scaled to their ranges: 0 is every objective as
        it is, 1 one sum of all (see `evoter.evolution.mechanisms.composite`).
    Novelty
        Every `novelty_interval` generations (0 is never, 1 always), parents are not the best but the most novel of
        `novelty_pool` times as many of the best (see `evoter.evolution.mechanisms.novelty`).
    Samples
        Of a table with more than `evaluation_rows` rows, a classifier evaluates rules on a random sample of
        that many, with all classes in proportion; what rules do is counted on all rows in the end. With
        `sample_rounds` above 1, children are evaluated on samples of the data that grow from round to round,
        and only the best quarter goes on to the next; the last has all data (see
        `evoter.evolution.mechanisms.sample_rounds`). With `n_age_layers` above 1, individuals see one more
        sample in each generation that they survive, compete with those of about their age, and are promoted
        when they have seen four times as many; the last layer has seen all data (see
        `evoter.evolution.mechanisms.age_layers`).
    Curriculum
        Conditions start simple, and one more kind of them is allowed every `unlock_interval` generations, or after
        `unlock_stagnation` without improvement; 0 is never, and if both are 0, all are allowed from the start (see
        `evoter.evolution.mechanisms.curriculum`).
    Islands
        With `n_islands` above 1, there are so many populations of `population_size` individuals each. Every
        `migration_interval` generations the `n_migrants` best of each take the places of the worst of another one
        (see `evoter.evolution.islands`).
    Data
        A classifier evaluates rules by the expected score: the probabilities of a row's classes are to `soft_targets`
        what models that have not seen the row say, or more if labels are noisy, and for the rest its label (see
        `evoter.problems.classification.preparation`).
    After the run
        With `majority_actions`, a classifier that maximises accuracy gives every rule of the winner the class that is
        most frequent among the training rows it decides. One that optimises ROC AUC, average precision or the Brier
        score always does so, because actions have no influence on them.

    Estimators refuse a setting that has no effect on their run (see `evoter.evolution.effects`). `GIVEN_BY_PAPER` says
    which values of the preset "paper" are the paper's; all others, such as sizes and rates, are ours.
    """

    population_size: int = 500
    n_refined: int = 6
    refinement_interval: int = 10
    refinement_moves: int = 8_000
    refinement_tries: int = 10
    refinement_rows: int = 20_000
    refinement_temperature: float = 0.2
    n_elites: int = 10
    max_rules: int = 64
    max_conditions: int = 6
    max_initial_rules: int = 4
    max_initial_conditions: int = 2
    tournament_size: int = 4
    parsimony: float = 1e-3
    crossover_rate: float = 0.7
    crossovers: tuple[float, ...] = _TRIPLE
    mutation_rate: float = 0.8
    mutation_levels: tuple[float, ...] = (1.0, 3.0)
    ruleset_mutations: tuple[float, ...] = (2.0, 2.0, 1.0, 1.0)
    rule_mutations: tuple[float, ...] = (1.0, 1.0, 4.0)
    condition_strategies: tuple[float, ...] = (3.0, 1.0, 1.0)
    condition_mutations: tuple[float, ...] = (3.0, 1.0, 1.0, 1.0)
    prune_equivalent_rules: bool = False
    oversampling: int = 1
    operators: tuple[float, ...] = (0.0, 0.0, 0.0, 1.0, 1.0, 0.0)
    comparison_rate: float = 0.0
    max_power: int = 1
    sum_rate: float = 0.1
    set_rate: float = 0.5
    missing_rate: float = 0.1
    uniform_constants: bool = False
    constant_coefficients: bool = False
    composite: float = 0.0
    novelty_interval: int = 0
    novelty_pool: int = 2
    evaluation_rows: int = 1_000_000
    sample_rounds: int = 1
    n_age_layers: int = 1
    unlock_interval: int = 0
    unlock_stagnation: int = 0
    n_islands: int = 1
    migration_interval: int = 5
    n_migrants: int = 5
    majority_actions: bool = True
    soft_targets: float = 0.7

    surplus = renamed_to("oversampling")
    n_layers = renamed_to("sample_rounds")

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            object.__setattr__(self, name, self._whole_number(name, least))
        for name, most in _MOST.items():
            object.__setattr__(self, name, self._number(name, most))
        for name, length in _FREQUENCIES.items():
            object.__setattr__(self, name, self._frequencies(name, length))
        for name in _SWITCHES:
            object.__setattr__(self, name, self._switch(name))
        self._check_sizes()

    def _whole_number(self, name: str, least: int) -> int:
        value = getattr(self, name)
        if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
            raise ValueError(f"{name} must be a whole number, {least} or more, got {value!r}")
        return int(value)

    def _number(self, name: str, most: float) -> float:
        value = getattr(self, name)
        number = math.nan if isinstance(value, bool) or not isinstance(value, Real) else float(value)
        if not 0.0 <= number <= most or math.isinf(number):
            wanted = "a probability from 0 to 1" if most == 1.0 else "a finite number, 0 or more"
            raise ValueError(f"{name} must be {wanted}, got {value!r}")
        return number

    def _frequencies(self, name: str, length: int) -> tuple[float, ...]:
        value = getattr(self, name)
        try:
            frequencies = tuple(float(frequency) for frequency in value)
        except (TypeError, ValueError):
            frequencies = ()
        if len(frequencies) != length or not all(f >= 0 for f in frequencies) or not 0 < sum(frequencies) < math.inf:
            raise ValueError(f"{name} must be {length} frequencies of 0 or more, not all 0, got {value!r}")
        return frequencies

    def _switch(self, name: str) -> bool:
        value = getattr(self, name)
        if not isinstance(value, bool | np.bool_):
            raise ValueError(f"{name} must be True or False, got {value!r}")
        return bool(value)

    def _check_sizes(self) -> None:
        for smaller, larger, room in _ORDERED:
            small, large = getattr(self, smaller), getattr(self, larger)
            if small > large - room:
                wanted = "less than" if room else "at most"
                raise ValueError(
                    f"{smaller} must be {wanted} {larger}, but {smaller} is {small} and {larger} {large}: lower one "
                    "or raise the other"
                )
        if self.sample_rounds > 1 and self.n_age_layers > 1:
            raise ValueError("sample_rounds and n_age_layers are two ways to evaluate on samples: use one of them")
        if self.n_age_layers > MAX_AGE_LAYERS:
            raise ValueError(f"n_age_layers must be 1 to {MAX_AGE_LAYERS}, got {self.n_age_layers}")
        if self.max_power > MAX_POWER:
            raise ValueError(f"max_power must be 1 to {MAX_POWER}, got {self.max_power}")

    def replace(self, **changes: object) -> Self:
        """Return a copy with some settings changed; an unknown name is an error that names the nearest known ones.

        Settings that must not exceed a changed one, and are not changed themselves, are lowered to it.

        >>> Settings().replace(max_rules=3).max_initial_rules
        3
        """
        known = [field.name for field in fields(self)]
        changes = current_names(changes)
        for name in changes:
            if name not in known:
                hint = did_you_mean(name, known) or f"; known: {', '.join(known)}"
                raise ValueError(f"unknown setting {name!r}{hint}")
        for smaller, larger, room in _ORDERED:
            limit = changes.get(larger)
            if isinstance(limit, Integral) and smaller not in changes:
                changes[smaller] = max(1, min(getattr(self, smaller), int(limit) - room))
        return replace(self, **changes)  # type: ignore[arg-type]

    def as_dict(self) -> dict[str, object]:
        """Return the settings by name."""
        return asdict(self)

    def rates(self) -> Rates:
        """Return the part that variation reads, as kernels see it."""
        rows = [
            self.crossovers,
            self.mutation_levels,
            self.ruleset_mutations,
            self.rule_mutations,
            self.condition_strategies,
            self.condition_mutations,
        ]
        frequencies = np.ones((len(rows), max(len(row) for row in rows)))
        for padded, row in zip(frequencies, rows, strict=True):
            padded[: len(row)] = cumulative(row)
        return Rates(
            frequencies=frequencies,
            tournament_size=self.tournament_size,
            crossover_rate=self.crossover_rate,
            mutation_rate=self.mutation_rate,
            max_initial_rules=self.max_initial_rules,
            max_initial_conditions=self.max_initial_conditions,
        )


RENAMED = {"surplus": "oversampling", "n_layers": "sample_rounds"}
"""Settings that were called otherwise once, and what they are called now."""


def current_names(settings: Mapping[str, object]) -> dict[str, object]:
    """Return settings by the names that they have now, with a warning about names that they had before."""
    for old, new in RENAMED.items():
        if old in settings:
            message = f"the setting {old!r} is now called {new!r}"
            warnings.warn(message, DeprecationWarning, stacklevel=3)
    return {RENAMED.get(name, name): value for name, value in settings.items()}


_LEAST = {
    "population_size": 2,
    "n_elites": 1,
    "n_refined": 0,
    "refinement_interval": 1,
    "refinement_moves": 1,
    "refinement_tries": 1,
    "refinement_rows": 1,
    "evaluation_rows": 1,
    "max_rules": 1,
    "max_conditions": 1,
    "max_initial_rules": 1,
    "max_initial_conditions": 1,
    "tournament_size": 1,
    "oversampling": 1,
    "max_power": 1,
    "novelty_interval": 0,
    "novelty_pool": 1,
    "sample_rounds": 1,
    "n_age_layers": 1,
    "unlock_interval": 0,
    "unlock_stagnation": 0,
    "n_islands": 1,
    "migration_interval": 1,
    "n_migrants": 1,
}

_MOST = {
    "parsimony": math.inf,
    "refinement_temperature": math.inf,
    "crossover_rate": 1.0,
    "mutation_rate": 1.0,
    "comparison_rate": 1.0,
    "sum_rate": 1.0,
    "set_rate": 1.0,
    "missing_rate": 1.0,
    "composite": 1.0,
    "soft_targets": 1.0,
}

_SWITCHES = ("prune_equivalent_rules", "uniform_constants", "constant_coefficients", "majority_actions")

# The first must be at most the second less the number that follows.
_ORDERED = (
    ("n_elites", "population_size", 1),
    ("n_migrants", "population_size", 1),
    ("max_initial_rules", "max_rules", 0),
    ("max_initial_conditions", "max_conditions", 0),
)

_FREQUENCIES = {
    "crossovers": 3,
    "mutation_levels": 2,
    "ruleset_mutations": 4,
    "rule_mutations": 3,
    "condition_strategies": 3,
    "condition_mutations": 4,
    "operators": 6,
}

DEFAULT = Settings()

PAPER = Settings(
    population_size=1_000,
    n_refined=0,
    max_rules=64,
    max_conditions=12,
    parsimony=0.0,
    crossover_rate=1.0,
    mutation_levels=(1.0, 1.0),
    ruleset_mutations=(1.0, 1.0, 1.0, 1.0),
    rule_mutations=_TRIPLE,
    condition_strategies=_TRIPLE,
    condition_mutations=(1.0, 1.0, 1.0, 1.0),
    prune_equivalent_rules=True,
    operators=(1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    comparison_rate=0.5,
    sum_rate=0.0,
    set_rate=0.0,
    max_power=3,
    uniform_constants=True,
    constant_coefficients=True,
    majority_actions=False,
    soft_targets=0.0,
)

_NOT_IN_PAPER = "the paper has nothing of the kind"
_EXTENSION = "an extension that the paper proposes in section 6"

GIVEN_BY_PAPER = {
    "n_refined": _NOT_IN_PAPER,
    "parsimony": _NOT_IN_PAPER,
    "crossover_rate": "algorithm 2: every child has two parents",
    "crossovers": "section 3.2: one of the three is selected randomly",
    "prune_equivalent_rules": "algorithm 9",
    "oversampling": _NOT_IN_PAPER,
    "max_power": "figure 1: powers from 1 to 3",
    "sum_rate": _NOT_IN_PAPER,
    "set_rate": _NOT_IN_PAPER,
    "uniform_constants": "figure 1: a number between the feature's minimum and maximum",
    "constant_coefficients": "figure 1",
    "composite": _EXTENSION,
    "novelty_interval": _EXTENSION,
    "sample_rounds": _NOT_IN_PAPER,
    "n_age_layers": _EXTENSION,
    "unlock_interval": _EXTENSION,
    "unlock_stagnation": _EXTENSION,
    "n_islands": _NOT_IN_PAPER,
    "majority_actions": _NOT_IN_PAPER,
    "soft_targets": _NOT_IN_PAPER,
}
"""Where the paper gives a value of the preset "paper", or why something is off; all other values are ours.

It gives a population of 100 for prescriptions (sections 5.4 and 5.5), and none elsewhere.
"""

PRESETS = {"default": DEFAULT, "paper": PAPER}
