"""`python -m pipeline`, and the command `openapi-pipeline`."""

import sys

from pipeline.commands import started


def run() -> int:
    """Run the command of this process."""
    return started("pipeline.cli", "command")


if __name__ == "__main__":
    sys.exit(run())
