"""Which forms of conditions an estimator's rules may have, and the settings that follow."""

from collections.abc import Sequence
from typing import Any, Final

from evoter.evolution.settings import Settings
from evoter.rules.errors import did_you_mean

RATES: Final = {"sets": ("set_rate", 0.5), "sums": ("sum_rate", 0.1), "comparisons": ("comparison_rate", 0.2)}
"""For each form beside constants, the setting for how often it is drawn, and its value where the preset has none."""

FORMS: Final = ("constants", *RATES)
TABLE_FORMS: Final = ("constants", "sets", "sums")
SERIES_FORMS: Final = ("constants", "comparisons")

Forms = str | Sequence[str] | None


def read_forms(forms: Forms, default: Sequence[str]) -> tuple[str, ...]:
    """Return the forms that a user has chosen, checked: "all", one name, or several, always with constants."""
    if forms is None:
        return tuple(default)
    if forms == "all":
        return FORMS
    chosen = (forms,) if isinstance(forms, str) else tuple(forms)
    for name in chosen:
        if name not in FORMS:
            hint = did_you_mean(str(name), FORMS) or f"; known: all, {', '.join(FORMS)}"
            raise ValueError(f"forms has no {name!r}{hint}")
    if "constants" not in chosen:
        raise ValueError(
            f'forms={forms!r} lacks "constants", which all rules may use: add it, as in {["constants", *chosen]}'
        )
    return chosen


def form_settings(estimator: Any, base: Settings) -> dict[str, object]:
    """Return the settings that an estimator's forms ask for; those of a preset of its own stay as they are."""
    if estimator.forms is None and estimator.preset != "default":
        return {}
    chosen = read_forms(estimator.forms, estimator._default_forms)
    return {
        setting: (getattr(base, setting) or rate) if form in chosen else 0.0 for form, (setting, rate) in RATES.items()
    }
