"""Compiled variation: creation, crossover and mutation, and the quick logic that keeps offspring sensible."""
