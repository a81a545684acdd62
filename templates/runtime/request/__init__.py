"""Requests as values: arguments checked and turned into JSON, forms and files."""
