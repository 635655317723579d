"""`evoter studio`: the files it is given, the demonstration, and the browser that opens it."""
