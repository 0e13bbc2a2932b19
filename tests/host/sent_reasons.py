"""Whether what says no fits what is declared of it: the schema of the protocol, with the values of every reason."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tools.generated.protocol import protocol_schema


@cache
def _validator(shape: str) -> Any:
    return Draft202012Validator({"$ref": f"#/$defs/{shape}", "$defs": protocol_schema()["$defs"]})


def misfits(shape: str, sent: Any) -> list[str]:
    """What is wrong with a message, as it goes over the line, for a shape of the protocol; empty: nothing."""
    return [error.message for error in _validator(shape).iter_errors(msgspec.json.decode(msgspec.json.encode(sent)))]
