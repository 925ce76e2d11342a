"""The knowledge graph: what recordings speak of, how that hangs together, and the words that say so."""
