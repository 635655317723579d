"""Tables larger than memory: read in batches, kept as compact columns on disk, and loaded a column at a time."""
