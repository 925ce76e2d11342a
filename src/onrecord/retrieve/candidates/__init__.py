"""Stages that select the passages, sections and recordings to search."""
