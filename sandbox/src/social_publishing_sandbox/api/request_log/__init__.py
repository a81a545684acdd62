"""The last requests with their responses, to search and to follow.

Adding happens on the way of every request, so it reads nothing, and copies no more than the
response; whatever costs time is done when somebody looks.
"""
