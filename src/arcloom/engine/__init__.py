"""The engine: whole batts of programs over columns of samples, on a device."""
