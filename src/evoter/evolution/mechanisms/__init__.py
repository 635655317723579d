"""Who survives and who breeds: replacement, NSGA-II, and the optional mechanisms around them."""
