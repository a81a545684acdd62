"""What the error of a name that is not there says, word by word."""

from __future__ import annotations

import pytest
from runtime.core.undocumented import Documented, explained

WORDS = {
    "read": "get list read find search fetch retrieve load show all one count iterate query",
    "create": "create add new insert make upload duplicate copy",
    "update": "update edit change modify patch put replace set save rename move approve reject",
    "delete": "delete remove destroy discard trash clear",
}
METHODS = {"list": "read", "get": "read", "bulk_update": "update", "edit": "update"}
RESOURCES = {
    "pets": Documented("4.1", METHODS, ("shops.get",), ("purge", "approve")),
    "owners": Documented("", {"get": "read"}, ("pets.list", "pets.get", "cats.get"), ("send",)),
    "shop_items": Documented("4.3", {"wipe": "delete", "adopt": "create"}),
    "reports": Documented("", {}),
}
NONE = "the service documents no such operation"
THERE = "client.pets, client.owners, client.shop_items"
OF_PETS = "There are client.pets.list, client.pets.get, client.pets.bulk_update, client.pets.edit."
PETS = " Pets also come with client.shops.get."
OWNERS = " Owners also come with client.cats.get and client.pets.list."
SAID = {
    "pet": "Did you mean client.pets?",
    "reports": f"the service documents no operations of that name (§9.9). There are {THERE}.",
    "bookings": f"the service documents no operations of that name. There are {THERE}.",
    "pets.lst": "Did you mean client.pets.list?",
    "pets.find": f"{NONE} (§4.1). Nearest: client.pets.list.{PETS}",
    "pets.fetch": f"{NONE} (§4.1). Nearest: client.pets.get.{PETS}",
    "pets.create": f"{NONE} (§4.1). Nearest: client.pets.edit.",
    "pets.approve": f"{NONE} (§9.9). Nearest: client.pets.bulk_update.",
    "pets.rename": f"{NONE} (§9.9). Nearest: client.pets.edit.",
    "pets.up_date_bulk": f"{NONE} (§4.1). {OF_PETS}",
    "pets.replace_bulk": f"{NONE} (§9.9). Nearest: client.pets.bulk_update.",
    "pets.purge": f"{NONE} (§9.9). {OF_PETS}",
    "pets.wash": f"{NONE} (§4.1). {OF_PETS}",
    "pets.trash": f"{NONE} (§4.1). {OF_PETS}",
    "owners.list": f"{NONE}. Nearest: client.owners.get.{OWNERS}",
    "owners.save": f"{NONE}. There is client.owners.get.",
    "shop_items.Add_one": f"{NONE} (§4.3). Nearest: client.shop_items.adopt.",
    "shop_items.get": f"{NONE} (§4.3). There are client.shop_items.wipe, client.shop_items.adopt.",
}


def said(path: str) -> str:
    owner, _, name = path.rpartition(".")
    known = RESOURCES[owner].methods if owner else [*RESOURCES][:3]
    error = explained(RESOURCES, "9.9", owner, name, known)
    assert error.name == name
    return str(error).removeprefix(f"client{'.' * bool(owner)}{owner} has no {name!r}")


@pytest.mark.parametrize("path", SAID)
def test_what_is_said_of_a_name_that_is_not_there(path: str) -> None:
    assert said(path) == f"{'.' if 'Did' in SAID[path] else ':'} {SAID[path]}"


@pytest.mark.parametrize("kind", WORDS)
def test_each_word_leads_to_what_does_it(kind: str) -> None:
    there = {each: Documented("", {"wash": each}) for each in WORDS}
    words = WORDS[kind].split()
    assert words
    for word in words:
        for owner in there:
            text = str(explained(there, "", owner, f"do_{word}", ["wash"]))
            assert ("Nearest" in text) is (owner in (kind, {"create": "update"}.get(kind))), word
