"""Responses: decoded, read leniently where they differ, redacted where they are shown."""
