"""The rule language: what rules are, how they are written, what they mean and what follows from them."""
