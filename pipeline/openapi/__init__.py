"""OpenAPI documents: loaded with positions, bundled, overlaid."""
