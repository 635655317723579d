"""Points that refute a claim: how they are made, drawn at random, and given values that people can read."""
