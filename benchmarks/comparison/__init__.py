"""EVOTER beside other classifiers: accuracy, complexity, time, and whether differences are more than luck."""
