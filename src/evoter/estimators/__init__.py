"""The faces that scikit-learn users know: thin shells around problems and the engine."""
