"""Question understanding: matches a question against the archive's names and against examples; no parser."""
