"""How many random cases a law is tried on: a fraction by default, all of them with `pytest --deep`."""

from hypothesis import settings

LEAST = 25
SHARE = 10


def n_cases(deep: int) -> int:
    """Return `deep` with `--deep` (and when exploring), otherwise a tenth of it but no fewer than 25 where there are as many."""
    if settings.get_current_profile_name() != "default":
        return deep
    return min(deep, max(LEAST, deep // SHARE))


def examples(deep: int) -> settings:
    """Return Hypothesis settings that try a law on `n_cases(deep)` examples."""
    return settings(max_examples=n_cases(deep))
