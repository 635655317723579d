"""Writing rules for people: the pieces that every printed form is made of, and one module for each form."""
