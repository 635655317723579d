"""`evoter prove` and `evoter diff`: what rules provably do, and where two rule files differ."""
