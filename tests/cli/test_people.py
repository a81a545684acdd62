"""Two people at one month: nobody's untouched value changes, whatever is done in whatever order."""

from __future__ import annotations

import people
import pytest


@pytest.mark.parametrize("first", range(0, 60, 30))
def test_nothing_is_written_that_nobody_asked_for(first: int) -> None:
    for seed in range(first, first + 30):
        try:
            people.run(seed)
        except Exception as error:
            error.add_note(f"python tests/cli/people.py 1 --first {seed}")
            raise
