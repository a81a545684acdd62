"""Calls: the two clients, their options, and the loop that carries a request out."""
