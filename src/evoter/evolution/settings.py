"""Every size and probability of evolution, with documented defaults and the presets."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Self

import numpy as np

from evoter.genome.grammar import cumulative
from evoter.kernels.layout import Rates

_TRIPLE = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the genetic algorithm; tuples are relative frequencies.

    Sizes
        `population_size` individuals, of which the `n_elites` best survive unchanged; at most `max_rules` rules of
        `max_conditions` conditions; random rule sets start with up to `max_initial_rules` rules of
        `max_initial_conditions` conditions.
    Selection
        Parents are the best of `tournament_size` drawn at random. Each condition costs `parsimony` of the score.
    Variation
        A child comes from crossover with probability `crossover_rate` (single point, uniform, combine rules:
        `crossovers`), else it is a copy; then it is mutated once with probability `mutation_rate`, at the level of the
        rule set or of a rule (`mutation_levels`). Rule sets: add, remove, default, reorder (`ruleset_mutations`). Rules:
        action, certainty, conditions (`rule_mutations`); conditions are changed, removed or added
        (`condition_strategies`) and a change is a perturbation, another operator, lag or feature
        (`condition_mutations`).
    Grammar
        `operators` for = != < <= > >=; `comparison_rate` of conditions compare two features, with powers up to
        `max_power`; `missing_rate` of conditions on features with missing values test for just that;
        `uniform_constants` draws constants evenly between the feature's ends instead of evenly among the data.
    After the run
        With `majority_actions`, a classifier that maximises accuracy gives every rule of the winner the class that is most
        frequent among the training rows it decides.
    """

    population_size: int = 500
    n_elites: int = 10
    max_rules: int = 16
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
    operators: tuple[float, ...] = (0.0, 0.0, 0.0, 1.0, 1.0, 0.0)
    comparison_rate: float = 0.1
    max_power: int = 1
    missing_rate: float = 0.1
    uniform_constants: bool = False
    majority_actions: bool = True

    def __post_init__(self) -> None:
        self._check_sizes()
        for name in ("crossover_rate", "mutation_rate", "comparison_rate", "missing_rate"):
            value = getattr(self, name)
            if not 0.0 <= value <= 1.0:
                raise ValueError(f"{name} must be a probability from 0 to 1, got {value!r}")
        if not self.parsimony >= 0.0:
            raise ValueError(f"parsimony must be 0 or more, got {self.parsimony!r}")
        for name, length in _FREQUENCIES.items():
            self._check_frequencies(name, length)

    def _check_sizes(self) -> None:
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
                raise ValueError(f"{name} must be a whole number, {least} or more, got {value!r}")
        if self.n_elites >= self.population_size:
            raise ValueError(f"n_elites {self.n_elites} must be smaller than population_size {self.population_size}")
        for initial, most in (("max_initial_rules", "max_rules"), ("max_initial_conditions", "max_conditions")):
            if getattr(self, initial) > getattr(self, most):
                raise ValueError(f"{initial} {getattr(self, initial)} is more than {most} {getattr(self, most)}")
        if self.max_power > 3:
            raise ValueError(f"max_power must be 1 to 3, got {self.max_power}")

    def _check_frequencies(self, name: str, length: int) -> None:
        value: Sequence[float] = tuple(float(weight) for weight in getattr(self, name))
        if len(value) != length or min(value) < 0 or not 0 < sum(value) < float("inf"):
            raise ValueError(f"{name} must be {length} frequencies of 0 or more, not all 0, got {value!r}")
        object.__setattr__(self, name, value)

    def replace(self, **changes: object) -> Self:
        """Return a copy with some settings changed; an unknown name is an error that lists the known ones."""
        known = [field.name for field in fields(self)]
        for name in changes:
            if name not in known:
                raise ValueError(f"unknown setting {name!r}; known: {', '.join(known)}")
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


_LEAST = {
    "population_size": 2,
    "n_elites": 0,
    "max_rules": 1,
    "max_conditions": 1,
    "max_initial_rules": 1,
    "max_initial_conditions": 1,
    "tournament_size": 1,
    "max_power": 1,
}

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
    parsimony=0.0,
    crossover_rate=1.0,
    mutation_levels=(1.0, 1.0),
    ruleset_mutations=(1.0, 1.0, 1.0, 1.0),
    rule_mutations=_TRIPLE,
    condition_strategies=_TRIPLE,
    condition_mutations=(1.0, 1.0, 1.0, 1.0),
    operators=(1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    comparison_rate=0.5,
    max_power=3,
    uniform_constants=True,
    majority_actions=False,
)

PRESETS = {"default": DEFAULT, "paper": PAPER}
