"""What a rule that compares features decides, beside other transparent models that learn it from examples."""
