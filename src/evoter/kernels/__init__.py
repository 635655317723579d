"""Compiled code on plain arrays: masks, decisions, creation, variation, and nothing that knows Python objects."""
