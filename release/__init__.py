"""From `generated/` to an index: what changed, builds, checks of what is installed, publishing.

Nothing here is about one API or one distribution: `[tool.release]` of a TOML file configures it.
What is wrong, whatever it is, ends a function with a `PipelineError` that names each reason.
"""
