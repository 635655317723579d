"""The grammar of a task: what the settings say about conditions, over the task's features and values."""

from collections.abc import Sequence

from evoter.evolution.settings import Settings
from evoter.genome.grammar import build_grammar
from evoter.kernels.layout import Floats, Grammar
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.schema import Schema


def grammar_of(
    settings: Settings,
    schema: Schema,
    columns: Floats | None,
    *,
    evolve_certainty: bool = False,
    guardrails: Guardrails | None = None,
    cuts: Sequence[Floats] | None = None,
) -> Grammar:
    """Return the grammar of the settings, with constants between the values of `columns`, or the agreed `cuts`."""
    return build_grammar(
        schema,
        columns,
        operators=settings.operators,
        max_power=settings.max_power,
        comparison_rate=settings.comparison_rate,
        sum_rate=settings.sum_rate,
        set_rate=settings.set_rate,
        missing_rate=settings.missing_rate,
        uniform_constants=settings.uniform_constants,
        constant_coefficients=settings.constant_coefficients,
        evolve_certainty=evolve_certainty,
        guardrails=guardrails,
        cuts=cuts,
    )
