"""Columns, understood once for Python, the command line and the browser: kinds, limits, missing values, warnings."""
