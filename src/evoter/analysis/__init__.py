"""What people look at: pictures and measures of results."""
