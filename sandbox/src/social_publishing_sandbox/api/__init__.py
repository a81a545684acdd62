"""The two HTTP APIs: match, check, carry out and log requests."""
