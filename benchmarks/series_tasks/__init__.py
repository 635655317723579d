"""Tasks on real series, the models that are set beside EVOTER on them, and what is measured."""
