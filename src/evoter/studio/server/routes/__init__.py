"""The routes of the studio, by what they are about."""
