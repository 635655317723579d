"""What series need beyond the classifier: statistics of windows, and streams of them."""
