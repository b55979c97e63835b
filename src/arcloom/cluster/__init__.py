"""Workers that run a search: processes on one machine, or Ray actors on many."""
