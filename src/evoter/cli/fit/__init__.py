"""`evoter fit`: the command, and each of its steps."""
