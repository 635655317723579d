"""Compiling kernels: for a search that is about to begin, and ahead of time with `evoter warm-up`."""
