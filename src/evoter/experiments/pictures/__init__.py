"""The pictures of a reproduction."""
