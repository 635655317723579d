"""Files: strict JSON documents, the fields of leaf-common files, and writing that survives a crash."""
