"""Metrics of published posts: rows of a table, a chart in the terminal, a page to send on."""
