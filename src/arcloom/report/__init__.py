"""Traces of programs, with the value of every line on every sample, and reports of searches."""
