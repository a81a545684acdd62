import pytest


@pytest.fixture
def library() -> str: ...


def helper() -> None: ...
