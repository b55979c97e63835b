"""Devices: where batts run."""
