"""Compiled conditions: their codes, what they mean on a row, their quick logic, and when two of them are equal."""
