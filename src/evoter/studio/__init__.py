"""The studio: where people who sign a model read, edit, prove and sign its rules in the browser."""
