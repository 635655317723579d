"""The bridge between rule sets as values and populations as arrays."""
