"""The kernels, in modules named like those of their primitives in ``arcloom.dsl``. Importing this declares them all."""

from importlib import import_module
from pkgutil import iter_modules

for family in iter_modules(__path__):
    import_module(f"{__name__}.{family.name}")
