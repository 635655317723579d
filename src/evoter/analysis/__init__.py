"""What people look at: pictures of results."""
