"""What the prescriptor needs: the outcome model, goals, treatments, policy values and trials."""
