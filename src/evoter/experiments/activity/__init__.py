"""Human activity from raw signals: tables and series of them, models, and how alike runs are."""
