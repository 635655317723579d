"""Compiled exact moves: the best single change of a rule set, found by sweeping over the rows."""
