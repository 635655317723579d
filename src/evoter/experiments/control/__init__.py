"""Policies for environments: how soon they are found and how good and small they are."""
