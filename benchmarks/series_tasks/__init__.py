"""The parts of `benchmarks/series.py`: tasks on real series, and the models that are set beside EVOTER on them."""
