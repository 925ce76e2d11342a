"""What says something else, and what says the same."""
