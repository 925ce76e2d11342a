"""Stages that cut the curve into moments, order the moments, and limit them to a budget."""
