"""Prescription on two clinical data sets: rule sets beside evolved networks, both against the same predictor."""
