"""Stages that search again: with other wordings, for each side of a comparison, or for missing parts."""
