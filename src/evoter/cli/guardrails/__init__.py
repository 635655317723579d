"""Guardrails on the command line."""
