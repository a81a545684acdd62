"""The overlay engine on the main document with all its overlays, step by step."""

from __future__ import annotations

from benchmarks.harness import ROOT, Row, loops

ROUNDS = 11


def measure() -> list[Row]:
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
        Row("read and bundle main.yaml", times["bundle"]),
        Row(f"read its {len(files)} overlays", times["load"]),
        Row(f"apply their {actions} actions", times["apply"]),
    ]
