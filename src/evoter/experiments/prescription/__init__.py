"""Prescription on two clinical data sets: rule sets and evolved networks, both evaluated by the same predictor."""
