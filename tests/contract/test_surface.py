"""What a program sees of the client before it calls anything is what the documents say."""

from __future__ import annotations

import pytest

from harness.surface import check_surface
from tests.support.documents import operations


@pytest.mark.parametrize("identifier", operations())
def test_the_surface_is_that_of_the_documents(
    identifier: str,
) -> None:
    check_surface(operations()[identifier])
