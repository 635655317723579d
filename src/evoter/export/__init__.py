"""Rule sets in other languages: each export is a file of its own, checked by running what it writes."""
