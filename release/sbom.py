"""Bills of materials: each wheel has one in CycloneDX, in `.dist-info/sboms/` (PEP 770)."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import uuid
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from packaging.metadata import Metadata
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

__all__ = ["add", "bill", "place"]

_INFO: Final = ".dist-info/"


def place(info: str) -> str:
    """Return the path of the bill in a wheel, by the path of its folder of metadata."""
    return f"{info}sboms/{info.removesuffix(_INFO).partition('-')[0]}.cdx.json"


def bill(metadata: bytes) -> bytes:
    """Return the bill of a distribution: itself, and what it requires, as its metadata says.

    Versions of what is required are ranges, since the installer chooses; a range stands in the
    property `requires`. There is no moment in it: the same metadata give the same bytes.
    """
    fields = Metadata.from_email(metadata, validate=False)
    name, version = canonicalize_name(fields.name), str(fields.version)
    own = f"pkg:pypi/{name}@{version}"
    required: dict[str, list[Requirement]] = {}
    for each in fields.requires_dist or ():
        required.setdefault(f"pkg:pypi/{canonicalize_name(each.name)}", []).append(each)
    component: dict[str, Any] = {
        "type": "library", "bom-ref": own, "name": name, "version": version, "purl": own,
    }  # fmt: skip
    if fields.summary:
        component["description"] = fields.summary
    if fields.license_expression:
        component["licenses"] = [{"expression": fields.license_expression}]
    whole = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, own)}",
        "version": 1,
        "metadata": {"lifecycles": [{"phase": "build"}], "component": component},
        "components": [_required(purl, each) for purl, each in sorted(required.items())],
        "dependencies": [
            {"ref": own, "dependsOn": sorted(required)},
            *({"ref": purl} for purl in sorted(required)),
        ],
    }
    return (json.dumps(whole, indent=2, ensure_ascii=False) + "\n").encode()


def _required(purl: str, requirements: list[Requirement]) -> Mapping[str, Any]:
    always = any("extra" not in str(each.marker or "") for each in requirements)
    return {
        "type": "library",
        "bom-ref": purl,
        "name": purl.rpartition("/")[2],
        "scope": "required" if always else "optional",
        "purl": purl,
        "properties": [
            {"name": "requires", "value": each} for each in sorted(map(str, requirements))
        ],
    }


def add(wheel: Path) -> None:
    """Write the bill into a wheel, and into its record; times and modes are those of METADATA."""
    with zipfile.ZipFile(wheel) as archive:
        members = [(each, archive.read(each)) for each in archive.infolist()]
    described = next(each for each, _ in members if each.filename.endswith(f"{_INFO}METADATA"))
    info = described.filename.removesuffix("METADATA")
    text = bill(dict((each.filename, data) for each, data in members)[described.filename])
    added = zipfile.ZipInfo(place(info), described.date_time)
    added.compress_type, added.external_attr = described.compress_type, described.external_attr
    added.create_system = described.create_system
    with zipfile.ZipFile(wheel, "w") as archive:
        for each, data in members:
            if each.filename == f"{info}RECORD":
                archive.writestr(added, text)
                data += _line(added.filename, text)
            archive.writestr(each, data)


def _line(path: str, data: bytes) -> bytes:
    """Return the line of a file in RECORD."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([path, f"sha256={digest}", len(data)])
    return line.getvalue().encode()
