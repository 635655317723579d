"""`evoter audit`: what rules do to groups of people."""
