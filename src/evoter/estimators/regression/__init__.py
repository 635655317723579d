"""How the regressors read tables, settle numbers, and answer questions."""
