"""The commands that are more than one operation."""
