"""Parquet tables that are too large to be read at once: fitted and predicted in batches of rows."""
