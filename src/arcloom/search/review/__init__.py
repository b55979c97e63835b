"""Reviews of results between scoring and keeping: simplification and validation."""
