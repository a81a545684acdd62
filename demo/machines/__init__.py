"""Posts of many users, moved by workers on many machines: a file to copy, `jobs.py`."""
