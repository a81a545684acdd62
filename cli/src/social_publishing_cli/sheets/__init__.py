"""Spreadsheets of posts: which columns they have, how they are read, how they are written."""
