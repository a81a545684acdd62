"""From `generated/` to an index: what changed, builds, checks of what is installed, publishing.

Nothing about one API or one distribution stands here: `[tool.release]` of a TOML file says it.
"""
