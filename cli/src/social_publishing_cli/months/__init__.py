"""A month of a group as people look at it: in a terminal, as a page, as a calendar file."""
