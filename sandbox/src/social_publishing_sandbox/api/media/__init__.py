"""Media: files as they come in, what they are, and pictures of them (§2.11, §4.7).

Modules that need pictures or an HTTP client are imported where a file is at hand.
"""
