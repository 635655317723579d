"""Guardrails: what no rule set of a model may do, whatever evolves."""
