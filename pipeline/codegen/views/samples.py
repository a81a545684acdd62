"""Code samples of operations for pages that other tools make of the documents: curl and Python."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from pipeline.codegen import names
from pipeline.codegen.ir import Api, Operation, Parameter
from pipeline.codegen.views.examples import example_of_body, example_value
from pipeline.codegen.views.view_models import CredentialView, OperationView, PackageView
from pipeline.openapi.media_types import bare
from pipeline.openapi.objects import as_dict

Sample = Mapping[str, str]


def with_samples(document: Mapping[str, Any], package: PackageView, api: Api) -> dict[str, Any]:
    """Return a document whose operations have `x-codeSamples`, where it has values for a call."""
    views = {each.http: each for each in package.operations if each.server == api.source}
    paths = {
        path: dict(item) if isinstance(item, dict) else item
        for path, item in as_dict(document.get("paths")).items()
    }
    for operation in api.operations:
        view = views.get(f"{operation.method} {operation.path}")
        item, method = as_dict(paths.get(operation.path)), operation.method.lower()
        if view is not None and view.example is not None and method in item:
            made = [*_samples(package, api, operation, view)]
            item[method] = {**item[method], "x-codeSamples": made}
    return {**document, "paths": paths} if paths else dict(document)


def _samples(
    package: PackageView, api: Api, operation: Operation, view: OperationView
) -> Iterator[Sample]:
    curl = _curl(package, api, operation, view.credentials)
    yield {"lang": "Shell", "label": "curl", "source": curl}
    yield {"lang": "Python", "label": package.client.distribution, "source": _python(package, view)}


def _python(package: PackageView, view: OperationView) -> str:
    name, own = package.client.class_name, f"from {package.client.package}"
    imports = sorted(
        [f"{own} import {name}", *view.example_imports],
        key=lambda line: (line.startswith(own), line),
    )
    call = view.call(f"client.{view.path}", 0)
    statement = call if view.returns_nothing else f"print({call})"
    if view.plan is not None and view.plan.is_gone_through:
        plan = view.plan
        item = names.snake(plan.item) if plan.item else plan.item_name
        printed = item if plan.item else plan.printed
        statement = f"for {item} in {call}:\n    print({printed})"
    return "\n".join([*imports, "", f"client = {name}()", statement])


def _curl(
    package: PackageView, api: Api, operation: Operation, credentials: Iterable[CredentialView]
) -> str:
    server = next(each for each in package.servers if each.key == (operation.address or api.source))
    path = operation.path
    query: list[tuple[str, str]] = []
    headers, cookies = [], []
    for parameter in operation.parameters:
        value = example_value(parameter.raw, parameter.type)
        if value is None or not (parameter.required or "example" in parameter.raw):
            continue
        if parameter.place == "path":
            path = path.replace(f"{{{parameter.wire}}}", quote(str(value), safe=""))
        elif parameter.place == "query":
            query += [(parameter.wire, text) for text in _texts(parameter, value)]
        elif parameter.place == "cookie":
            cookies += [f"{parameter.wire}={text}" for text in _texts(parameter, value)]
        else:
            headers.append(f"{parameter.wire}: {value}")
    # Commas may stand in a query, and many services want them as they are.
    pairs = [f"{quote(name)}={quote(text, safe=',:')}" for name, text in query]
    pairs += [
        f"{quote(credential.name, safe='')}=${credential.variable}"
        for credential in credentials
        if credential.place == "query"
    ]
    asked = "&" if "?" in path else "?"
    address = f"${server.variable}{_quoted(path)}" + (asked + "&".join(pairs) if pairs else "")
    words = ["curl", *([] if operation.method == "GET" else [f"-X {operation.method}"])]
    lines = [" ".join([*words, f'"{address}"'])]
    lines += [_option(each) for each in credentials if each.place != "query"]
    lines += [
        f"-H {shlex.quote(header)}"
        for header in (f"Accept: {operation.success.accept or 'application/json'}", *headers)
    ]
    if cookies:
        lines.append(f"-b {shlex.quote('; '.join(cookies))}")
    lines += _body(operation)
    return " \\\n  ".join(lines)


def _body(operation: Operation) -> Iterator[str]:
    body = operation.body
    if body is None:
        return
    value, media_type = example_of_body(body), bare(body.media_type)
    if media_type.startswith("multipart/"):
        files = value if isinstance(value, dict) else {"file": "file"}
        for name, file in files.items():
            yield f"-F {shlex.quote(f'{name}=@{file}')}"
    elif value is not None:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield f"-H {shlex.quote(f'Content-Type: {media_type}')}"
        yield f"--data {shlex.quote(text)}"


def _texts(parameter: Parameter, value: Any) -> Iterable[str]:
    """Return the values of a parameter as they stand in a query."""
    if not isinstance(value, list):
        return [str(value).lower() if isinstance(value, bool) else str(value)]
    texts = [str(each) for each in value]
    return texts if parameter.raw.get("explode", True) else [",".join(texts)]


def _option(credential: CredentialView) -> str:
    """Return the option that sends a credential outside the address."""
    name, secret = _quoted(credential.name), f"${credential.variable}"
    return {
        "bearer": f'-H "Authorization: Bearer {secret}"',
        "basic": f'-u "{secret}"',
        "header": f'-H "{name}: {secret}"',
        "cookie": f'-b "{name}={secret}"',
    }[credential.place]


def _quoted(text: str) -> str:
    """Return a text as it stands between double quotes of a shell."""
    return re.sub(r'(["$`\\])', r"\\\1", text)
