"""Environments for policies: batches that step a whole population at once, and a Flappy Bird of our own."""
