"""The two HTTP APIs: requests are matched, checked, carried out, and written down."""
