"""The overlay engine on the main document with all its overlays, step by step."""

from __future__ import annotations

from benchmarks.figures import Figure
from benchmarks.measuring import ROOT, loops

TITLE = "Overlays"

ROUNDS = 11


def measure() -> list[Figure]:
    """Reading the document, reading the overlays, and applying them."""
    from pipeline.bundle import bundle
    from pipeline.config import load_config
    from pipeline.overlay import apply, load_overlay

    config = load_config(ROOT / "pyproject.toml")
    source = next(source for source in config.sources if source.name == "main")
    files = source.overlay_files()
    document = bundle(source.path)
    overlays = [load_overlay(file) for file in files]
    actions = sum(len(overlay.actions) for overlay in overlays)
    times = loops(
        {
            "bundle": lambda: bundle(source.path),
            "load": lambda: [load_overlay(file) for file in files],
            "apply": lambda: apply(document, overlays),
        },
        ROUNDS,
        1,
    )
    return [
        Figure("read and bundle main.yaml", times["bundle"]),
        Figure(f"read its {len(files)} overlays", times["load"]),
        Figure(f"apply their {actions} actions", times["apply"]),
    ]
