"""The scikit-learn estimators: thin shells around problems and the engine."""
