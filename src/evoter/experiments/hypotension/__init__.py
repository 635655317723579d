"""Acute hypotension foreseen from arterial pressure: patients, models and what is measured of them."""
