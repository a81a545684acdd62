"""Basis of all other packages: errors, models, open enumerations, times and the clock."""
