"""What this project claims about speed, measured as ratios: `python -m benchmarks [NAME …]`."""
