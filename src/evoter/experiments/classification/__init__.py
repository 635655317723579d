"""Classifiers on tables: data sets, protocols, models and their scores."""
