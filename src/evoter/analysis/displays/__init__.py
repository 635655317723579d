"""Pictures in scikit-learn's Display convention, one module for each, and what they share."""
