"""Classifiers on tables: data sets, protocols, models and what is measured of them."""
