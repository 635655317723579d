"""EVOTER compared with other classifiers: accuracy, complexity, time, and significance of the differences."""
