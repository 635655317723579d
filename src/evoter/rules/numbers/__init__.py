"""Actions that are numbers: what they mean, how far off they were in training, and their fields in files."""
