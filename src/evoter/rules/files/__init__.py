"""The parts of the JSON file formats: strict documents, and the fields of leaf-common files."""
