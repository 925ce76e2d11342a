"""Stages that score every passage, as a curve along the talk."""
