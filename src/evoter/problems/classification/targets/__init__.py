"""Soft targets: what models that have not seen a row say about its class."""
