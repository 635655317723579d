"""Selection of survivors and parents: replacement, NSGA-II, and the optional mechanisms around them."""
