"""Release the generated packages: report changes, build, try the installation, publish.

Nothing here is about one API or one distribution: `[tool.release]` of a TOML file configures it.
`pins` alone is about the files of this project.
Every error is a `PipelineError` that names each reason.
"""
