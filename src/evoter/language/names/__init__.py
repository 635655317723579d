"""Names in sentences: labels, quotation marks, and the glossary that says what each thing is called."""
