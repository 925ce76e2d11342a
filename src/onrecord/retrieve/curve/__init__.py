"""How well every passage fits, along the line of talk."""
