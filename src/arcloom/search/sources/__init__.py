"""Sources of candidate programs, one file each."""
