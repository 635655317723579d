"""Pareto fronts: extracted from a population, printed, and chosen from."""
