"""Faults that are planted in copies of the project, and the tests that catch them.

Each is a mistake that a developer could make, and what a user would suffer from it. The contract
suite is as strong as the faults that it catches: `python tests/contract/faults` finds out.
"""
