"""How the documentation is built: `nox -s docs`. Nothing of it is fetched from anywhere."""

import sys
import tomllib
from pathlib import Path

_ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(Path(__file__).parent))

project = "Social Publishing"
_PROJECT = tomllib.loads((_ROOT / "pyproject.toml").read_text())
release = version = _PROJECT["project"]["version"]
# Where the pages are published, search engines are led to those of the newest release.
_URLS = _PROJECT.get("tool", {}).get("pipeline", {}).get("client", {}).get("urls", {})
html_baseurl = _URLS.get("Documentation", "").replace("{version}", "stable")
html_title = f"{project} {release}"

extensions = ["myst_parser", "sphinx_copybutton", "splitting", "for_programs", "in_browser"]
# What other pages include is no page.
exclude_patterns = [
    "_build",
    "browser",
    "benchmarks/*",
    "generality/*",
    "trust/*",
    "reference/methods/_*",
]
source_suffix = {".md": "markdown"}
nitpicky = True
default_role = None

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4  # the slugs of headings, as links in Markdown name them
myst_html_meta = {
    "description": "A typed Python client for a social publishing service, and a sandbox to try it"
}

copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
copybutton_line_continuation_character = "\\"

html_theme = "furo"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_js_files = ["pages.js", ("versions.js", {"defer": "defer"})]
html_favicon = html_logo = "_static/mark.svg"
html_theme_options = {
    "light_css_variables": {"color-code-background": "#f3f5f8"},
    "dark_css_variables": {"color-code-background": "#1e2227"},
}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "monokai"


def _readable(app, page, template, context, doctree):
    """Give headings of the navigation their level, and take empty heads out of tables."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace(
        'role="heading"', 'role="heading" aria-level="2"'
    )
    context["body"] = context.get("body", "").replace(
        '<th class="head"><p></p></th>', "<td><p></p></td>"
    )


def setup(app):
    app.connect("html-page-context", _readable, priority=900)
