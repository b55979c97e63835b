"""Kernels by family, in files of the same names as the primitives they belong to. Importing this declares them all."""

from importlib import import_module
from pkgutil import iter_modules

for family in iter_modules(__path__):
    import_module(f"{__name__}.{family.name}")
