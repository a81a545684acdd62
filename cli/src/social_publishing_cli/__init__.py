"""The Social Publishing Service from the terminal, and a month of posts from a spreadsheet.

The command is `social-publishing`. From Python, `social_publishing_cli.plans` does the same.
"""
