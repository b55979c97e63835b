"""The interpreter: one source of row functions, compiled for the CPU and for CUDA."""
