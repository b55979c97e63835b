"""Reviews between scoring and keeping: simplification and validation."""
