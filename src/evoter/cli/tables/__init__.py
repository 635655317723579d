"""Tables as the command line reads them: files, text, cells, kinds of columns, and warnings about them."""
