"""Compiling kernels and the interpreter ahead of their use, keeping the machine code, and loading it."""
