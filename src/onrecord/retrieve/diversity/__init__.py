"""Stages that diversify moments and drop repetitions."""
