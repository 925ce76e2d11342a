"""A question to a plan: matched against what the archive knows and against examples, never parsed."""
