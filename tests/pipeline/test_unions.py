"""Unions of a generated client: what is sent, and which class a response is read as."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx2
import pytest
from generate_support import CASES, config_of, on_path, write_package

from pipeline.steps import generate


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The package of the case `unions`."""
    folder: Path = tmp_path_factory.mktemp("unions")
    write_package(generate(config_of(CASES / "unions", "unions"))[0], folder)
    with on_path(folder, "unions"):
        yield _with_resources("unions", "visits", "labels")


@pytest.fixture(scope="module")
def garage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The package of the case `extended`."""
    folder: Path = tmp_path_factory.mktemp("extended")
    write_package(generate(config_of(CASES / "extended", "extended"))[0], folder)
    with on_path(folder, "extended"):
        yield _with_resources("extended", "vehicles")


def _with_resources(package: str, *names: str) -> Any:
    for name in names:
        import_module(f"{package}.resources.{name}")
    return import_module(package)


def _read(
    zoo: Any, body: str, method: str, *given: Any, arguments: Any = None, **options: Any
) -> Any:
    """Return what a method makes of the body of a response."""

    def respond(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, content=body, headers={"content-type": "application/json"})

    http_client = httpx2.Client(transport=httpx2.MockTransport(respond))
    address, client = f"https://{zoo.__name__}.invalid/v1", getattr(zoo, zoo.__name__.title())
    with client(api_token="t", base_url=address, http_client=http_client, **options) as made:
        resource, _, name = method.partition(".")
        return getattr(getattr(made, resource), name)(*given, **(arguments or {}))


def _class(value: object) -> str:
    return type(value).__name__


@pytest.mark.parametrize("drift", ["ignore", "raise"])
def test_a_discriminator_names_the_class(zoo: Any, drift: str) -> None:
    body = """[{"type": "animal.moved", "name": "east", "related": [{"type": "animal.born"}]},
               {"type": "Sold", "price": "free", "colour": 2}, {"type": "animal.born"}]"""
    moved, sold, born = _read(zoo, body, "events.list_events", drift=drift)
    assert [*map(_class, (moved, sold, born, *moved.related))] == ["Moved", "Sold", "Born", "Born"]
    assert (moved.type, sold.price, born.type) == ("animal.moved", "free", "animal.born")
    assert sold.colour.name == "LIGHT_BLUE"


def test_what_no_branch_allows_is_kept_and_reported(zoo: Any) -> None:
    body = '[{"type": "animal.died", "name": "Leo"}]'
    (event,) = _read(zoo, body, "events.list_events")
    assert (event.type, event.name) == ("animal.died", "Leo")
    with pytest.raises(zoo.DriftError, match=r"type"):
        _read(zoo, body, "events.list_events", drift="raise")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('{"kind": "cat", "lives": 9}', "Cat"),
        ('{"kind": "dog"}', "Dog"),
        ('{"lives": 9}', "Cat"),
        ('{"kind": "dog", "lives": 9, "new": 1}', "Dog"),
    ],
)
def test_constants_name_the_class(zoo: Any, body: str, kind: str) -> None:
    animal = _read(zoo, body, "animals.add_animal", zoo.models.DogInput())
    assert _class(animal) == kind


def test_members_beside_a_union_are_those_of_every_branch(zoo: Any) -> None:
    visit = _read(zoo, '{"on": "2026-01-02", "people": 3}', "visits.add_visit",
                  zoo.models.VisitSingleInput(on=dt.date(2026, 1, 2), ticket="A1"))  # fmt: skip
    assert (_class(visit), visit.on, visit.people) == ("VisitGroup", dt.date(2026, 1, 2), 3)


@pytest.mark.parametrize(("text", "read"), [("2026-01-02", dt.date(2026, 1, 2)), ("soon", "soon")])
def test_a_text_is_read_as_the_most_exact_type(zoo: Any, text: str, read: object) -> None:
    body = f'{{"id": 1, "count": 2, "all": {{}}, "flags": "unknown", "either": "{text}"}}'
    for drift in ("ignore", "raise"):
        assert _read(zoo, body, "animals.list_animals", drift=drift).either == read


def test_members_that_no_field_names_are_kept_and_typed(zoo: Any) -> None:
    body = '{"text": "Owl", "x": {"size": 1}, "inner": {"text": "a", "": {"size": 2}}}'
    for drift in ("ignore", "raise"):
        label = _read(zoo, body, "labels.put_label", drift=drift, arguments={"text": "Owl"})
        assert label.additional_properties["x"].size == 1
        assert label.inner.additional_properties[""].size == 2
        assert label.to_dict(wire=True) == json.loads(label.to_json()) == json.loads(body)
    with pytest.raises(zoo.DriftError, match="size"):
        _read(zoo, '{"text": "a", "x": {}}', "labels.put_label", drift="raise",
              arguments={"text": "a"})  # fmt: skip


def test_members_that_no_field_names_are_sent_and_checked(zoo: Any) -> None:
    build, mark = zoo.resources.labels.build_put_label, zoo.models.MarkInput
    sent = build(text="Owl", additional_properties={"x": mark(size=1), "text": mark(size=2)})
    assert json.loads(sent.body) == {"text": "Owl", "x": {"size": 1}}
    with pytest.raises(zoo.ArgumentError, match=r"\['x'\].size: must be at least 1"):
        build(text="Owl", additional_properties={"x": mark(size=0)})


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ('{"kind": "two", "wheels": 2, "bell": "ring"}', "Bicycle"),
        ('{"kind": "two", "wheels": 2}', "Bicycle"),  # though it lacks what only bicycles have
        ('{"kind": "Truck", "wheels": 4, "load": "much"}', "Truck"),
        ('{"kind": "tipper", "wheels": 6, "load": 5, "angle": 40}', "Tipper"),
        ('{"kind": "sledge", "wheels": 0}', "Vehicle"),
        ('{"kind": "sledge", "wheels": 0, "bell": "ring"}', "Vehicle"),
        ('{"wheels": 0}', "Vehicle"),
        ('{"wheels": 0, "load": 1}', "Truck"),
    ],
)
def test_a_discriminator_names_the_class_that_extends(garage: Any, body: str, kind: str) -> None:
    (found,) = _read(garage, f"[{body}]", "vehicles.list_vehicles")
    assert _class(found) == kind
    (around,) = _read(
        garage, f'[{{"kind": "two", "wheels": 2, "tows": {body}}}]', "vehicles.list_vehicles"
    )
    assert _class(around.tows) == kind and found.wheels == around.tows.wheels
    assert json.loads(around.to_json())["tows"].items() <= json.loads(body).items()


def test_only_what_extends_a_class_takes_its_place(garage: Any) -> None:
    tipper = garage.models.TipperInput(wheels=6)
    (found,) = _read(garage, '[{"kind": "two"}]', "vehicles.list_vehicles")
    assert _class(found) == "Bicycle"
    request = garage.resources.vehicles.build_add_vehicle(tipper)
    assert json.loads(request.body) == {"kind": "tipper", "wheels": 6}
    for kind, name in (("tipper", "Tipper"), ("Truck", "Truck"), ("two", "Truck")):
        answer = f'{{"kind": "{kind}", "wheels": 6}}'
        assert _class(_read(garage, answer, "vehicles.add_vehicle", tipper)) == name
    assert _class(_read(garage, '{"label": "a"}', "vehicles.read_box")) == "Box"
