"""Acute hypotension predicted from arterial pressure: patients, models and their scores."""
