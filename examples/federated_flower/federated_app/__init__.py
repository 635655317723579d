"""A Flower app: a coordinator that evolves rules, and sites that keep their rows."""
