"""Compiling kernels and the interpreter ahead of time, caching the machine code, and loading it."""
