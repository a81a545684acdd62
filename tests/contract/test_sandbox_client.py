"""The sandbox makes clients, has fixtures for them, and calls operations as the client does."""

from __future__ import annotations

import asyncio
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest
import social_publishing
from social_publishing import (
    ConnectionFailed,
    PermissionDeniedError,
    SocialPublishing,
)

import social_publishing_sandbox
from social_publishing_sandbox import ClientMissing, ControlError, Sandbox
from social_publishing_sandbox.state.documents import load

pytest_plugins = "pytester"
GROUP = "9032915132417572866"
PATHS = [
    str(Path(each.__path__[0]).parent) for each in (social_publishing, social_publishing_sandbox)
]


# Names


def test_every_method_that_sends_something_names_its_operation() -> None:
    client = SocialPublishing(
        api_token="x", base_url="http://x.test/v1", media_url="http://x.test/api/v1"
    )
    operations = load().operations.values()
    resources = {each.raw["x-python-resource"] for each in operations}
    methods = {
        f"{resource}.{name}"
        for resource in resources
        for name, _ in inspect.getmembers(getattr(client, resource), callable)
        if not name.startswith("_")
    }
    sends_nothing = {
        f"{operation.raw['x-python-resource']}.{operation.raw['x-arguments-of']['name']}"
        for operation in operations
        if "x-arguments-of" in operation.raw
    }
    known = {name for name in load().operation_names if "." in name}
    assert known == methods - sends_nothing


def test_faults_and_the_request_log_take_the_names_of_the_client() -> None:
    with Sandbox(clock="frozen") as sandbox, sandbox.client(retries=0) as client:
        group = client.groups.get(GROUP)
        with (
            sandbox.fault("drop-after", operations="groups.update") as fault,
            pytest.raises(ConnectionFailed),
        ):
            client.groups.update(GROUP, name=group.name)
        assert fault.operations == ("replaceGroup",)
        assert sandbox.requests(operation="groups.update") == sandbox.requests(
            operation="replaceGroup", fault="drop-after"
        )
        with pytest.raises(ControlError, match=r"no such operation; did you mean 'groups\.update'"):
            sandbox.requests(operation="group.update")


# Clients


def test_a_client_has_the_addresses_and_the_token_of_a_role() -> None:
    with (
        Sandbox(clock="frozen") as sandbox,
        sandbox.client() as owner,
        sandbox.client(role="client", retries=0) as guest,
    ):
        label = owner.labels.create(name="Spring")
        assert sandbox.requests()[-1].user == sandbox.find("users", role="owner")[0]["name"]
        with pytest.raises(PermissionDeniedError):
            guest.labels.delete(label.id)

        async def ask() -> str:
            async with sandbox.async_client(role="admin") as client:
                return (await client.groups.get(GROUP)).name

        assert asyncio.run(ask()) == owner.groups.get(GROUP).name


def test_what_no_client_can_be_made_of() -> None:
    sandbox = Sandbox(clock="frozen")
    with pytest.raises(ControlError, match="the sandbox is not listening"):
        sandbox.client()
    with sandbox:
        with pytest.raises(ControlError, match=r"'onwer': .* did you mean 'owner'\?") as caught:
            sandbox.client(role="onwer")
        assert caught.value.field == "role"
        with pytest.raises(TypeError, match="retires"):
            sandbox.client(retires=1)


def test_the_client_is_asked_for_only_when_one_is_made() -> None:
    program = """
import sys
sys.modules["social_publishing"] = None  # as where it is not installed
from social_publishing_sandbox import ClientMissing, Sandbox
with Sandbox(clock="frozen") as sandbox:
    sandbox.create_label(name="x")
    for make in sandbox.client, sandbox.async_client:
        try:
            make()
        except ClientMissing as error:
            print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=600,
        env={**os.environ, "PYTHONPATH": PATHS[1]},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{ClientMissing()}\n" * 2


# Fixtures


TESTS = """
import asyncio, pytest

made = []

def test_it(sandbox, social_publishing):
    social_publishing.labels.create(name="Spring")
    assert sandbox.requests(operation="labels.create")
    made.append(social_publishing)

def test_without_a_plugin(sandbox, async_social_publishing):
    async def work():
        await async_social_publishing.labels.create(name="Spring")
    asyncio.run(work())
    made.append(async_social_publishing)

@pytest.mark.anyio
async def test_with_anyio(sandbox, async_social_publishing):
    await async_social_publishing.labels.create(name="Spring")
    made.append(async_social_publishing)

@pytest.mark.anyio
async def test_and_once_more(sandbox, async_social_publishing):
    assert not sandbox.find("labels", name="Spring")
    await async_social_publishing.labels.create(name="Spring")

@pytest.mark.sandbox(listen=False)
def test_without_sockets(social_publishing):
    pass

def test_all_are_closed():
    for client in made:
        with pytest.raises(Exception, match="the client is closed"):
            client.connections.check_open()
"""


def test_fixtures_with_whatever_runs_the_tests(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TESTS)
    pytester.makeini("[pytest]\nfilterwarnings = error")
    plugins = ["-p", "no:cacheprovider", "-p", "anyio.pytest_plugin"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        patch.setenv("PYTHONPATH", os.pathsep.join(PATHS))
        result = pytester.runpytest_subprocess(
            *plugins, "-p", "social_publishing_sandbox.pytest_plugin"
        )
    result.assert_outcomes(passed=7, errors=1)
    assert "the sandbox is not listening" in result.stdout.str()
