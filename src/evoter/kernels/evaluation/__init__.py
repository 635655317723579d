"""Compiled evaluation: masks of antecedents, and what populations decide, prescribe and do."""
