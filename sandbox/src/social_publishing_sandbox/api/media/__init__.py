"""Media: receive files, inspect them, and make thumbnails (§2.11, §4.7).

Modules that need Pillow or an HTTP client are imported when the first file arrives.
"""
