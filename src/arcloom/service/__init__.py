"""Scoring programs over HTTP."""
