"""Statements in sentences: numbers, times, terms, conditions and outcomes in words, and read back."""
