"""Distillation: rule sets that answer as another model does, and where they do not."""
