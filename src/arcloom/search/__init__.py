"""The search: sources propose candidate programs, which are run, scored and kept, and vote on the answers."""
