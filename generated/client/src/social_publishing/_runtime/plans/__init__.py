"""Calls of several requests: pages, batches, polling, read-modify-write, reconciliation."""
