"""Waves: a batt's nodes run group by group over columns that stay on a device."""
