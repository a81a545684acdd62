"""From `generated/` to an index: what changed, builds, checks of what is installed, publishing.

Nothing here is about one API or one distribution: `[tool.release]` of a TOML file configures it.
"""
