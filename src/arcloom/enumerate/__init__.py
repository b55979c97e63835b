"""Bottom-up enumeration of programs over typed operations."""
