"""What one model came to in one run: measures, curves over generations, rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Outcome:
    """Measures and curves by name; `rules` is what a person reads, `features` what the model looks at.

    Everything but the seconds follows from the seed.
    """

    measures: Mapping[str, float]
    curves: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    rules: str = ""
    features: tuple[str, ...] = ()
    seconds: float = 0.0
