"""The embedded model, all-MiniLM-L6-v2."""
