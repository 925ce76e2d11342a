"""How well every passage fits, along the talk."""
