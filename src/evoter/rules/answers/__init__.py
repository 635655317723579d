"""What people ask about decisions: how reliable they are, what would change them, and how many compare in a table."""
