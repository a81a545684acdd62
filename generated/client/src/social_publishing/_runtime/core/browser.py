"""Python in a browser: it has no threads, and the browser makes the connections."""

from __future__ import annotations

import sys

IN_BROWSER: bool = sys.platform == "emscripten"
