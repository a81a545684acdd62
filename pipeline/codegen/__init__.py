"""From an effective document to the files of a client: parse, name, view, render, write."""
