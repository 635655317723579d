"""Sentences rewritten by a language model, which are accepted only if they say the same about the same things."""
