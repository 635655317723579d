"""What sites do to counts before they leave: suppression, noise with a budget, and masks that cancel out."""
