"""Benchmarks of this project's claims about speed, as ratios: `python -m benchmarks [NAME …]`."""
