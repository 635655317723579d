"""What follows from conditions: exact sets of values, orders of terms, and the plainest equivalent condition."""
