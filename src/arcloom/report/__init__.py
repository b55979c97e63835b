"""Programs and runs made visible: every line of a program on every sample, and reports of searches."""
