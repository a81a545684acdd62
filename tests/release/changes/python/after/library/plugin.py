import pytest


@pytest.fixture
def shelf() -> str: ...


def helper() -> None: ...
