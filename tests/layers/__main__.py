"""`python tests/layers`: draw the table of layers in CONTRIBUTING.md."""

from reading import draw

draw()
