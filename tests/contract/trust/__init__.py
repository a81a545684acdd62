"""What a user may rely on, as figures that `nox -s trust` makes anew: the page `docs/trust.md`."""
