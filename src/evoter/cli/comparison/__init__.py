"""`evoter compare`: the command, the ordinary models, and the result."""
