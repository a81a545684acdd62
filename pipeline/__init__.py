"""The pipeline: from the documents under `spec/` and `overlays/` to everything generated."""
