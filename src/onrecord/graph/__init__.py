"""The knowledge graph: entities in recordings, their connections, and the quotes that show them."""
