"""Compiled Pareto tools: ranks, crowding, survival and hypervolume."""
