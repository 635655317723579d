"""`evoter distil`: rules that answer as another model does."""
