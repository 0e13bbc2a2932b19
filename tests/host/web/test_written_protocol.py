"""The documents of REST and of the protocol say what is served."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from hexholm.host.wire.description.openapi import openapi_document
from hexholm.rules.setup.editions import EDITIONS
from tools.generated.protocol import protocol_schema

from ..servers import OPTIONS, ask

pytestmark = pytest.mark.waits


def references(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            if key == "$ref":
                yield value
            elif key != "mapping":
                yield from references(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from references(value)


def test_every_reference_leads_somewhere(url: str) -> None:
    served = ask(url, "GET", "/openapi.json").json
    assert served == msgspec.json.decode(msgspec.json.encode(openapi_document()))
    assert served["openapi"].startswith("3.1")
    for whole, where in (
        (served, served["components"]["schemas"]),
        (protocol_schema(), protocol_schema()["$defs"]),
    ):
        names = {reference.rpartition("/")[2] for reference in references(whole)}
        assert names <= set(where)
        assert names


def test_every_path_of_the_document_is_served(url: str) -> None:
    for path, methods in openapi_document()["paths"].items():
        names = {"{table}": "nosuchtable", "{color}": "red", "{entry}": "robber", "{example}": "broken"}
        real = functools.reduce(lambda text, name: text.replace(name, names[name]), names, path)
        for method in methods:
            body: Any = {} if method == "post" else None
            answer = ask(url, method.upper(), real, body)
            assert answer.status != 405
            assert answer.status == 200 or answer.json["error"]["message"] != "there is nothing at this address"


def test_the_editions_are_listed_with_their_words(url: str) -> None:
    editions = ask(url, "GET", "/api/editions").json["editions"]
    assert [edition["name"] for edition in editions] == list(EDITIONS)
    assert all(edition["colors"] and edition["words"] for edition in editions)
    assert OPTIONS["edition"] in {edition["name"] for edition in editions}
