"""Asking again: in other words, for each side, for what is missing."""
