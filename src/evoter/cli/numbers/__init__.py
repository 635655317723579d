"""`evoter fit` for targets that are numbers."""
