"""The conversation on docs/reference/protocol.md is held with a real server, and is heard as it is written there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import hexholm
from hexholm.host.wire import api, host_refusals
from hexholm.rules.encoding.refusals import REFUSALS, refuse_with
from hexholm.rules.reasons import reason_of

from ..servers import BOTS, new_table, open_socket, run_server

pytestmark = pytest.mark.waits

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "protocol.md"
REST = "…"


def conversation() -> list[tuple[str, Any]]:
    """What is said on the page: (">" or "<", message)."""
    (block,) = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    parts = re.findall(r"^([><]) (.*?)(?=^[><] |\Z)", block, flags=re.DOTALL | re.MULTILINE)
    return [(way, msgspec.json.decode(text)) for way, text in parts]


def fits(example: Any, heard: Any) -> bool:
    """Whether a message is as the page shows it; what the page leaves out may be anything."""
    if example == REST:
        return True
    if isinstance(example, dict) and isinstance(heard, dict):
        named = {key: value for key, value in example.items() if key != REST}
        if not all(key in heard and fits(value, heard[key]) for key, value in named.items()):
            return False
        return len(named) < len(example) or "type" in example or set(named) == set(heard)
    if isinstance(example, list) and isinstance(heard, list):
        if example[-1:] == [REST]:
            example, heard = example[:-1], heard[: len(example) - 1]
        return len(example) == len(heard) and all(map(fits, example, heard))
    return bool(example == heard)


def test_the_conversation_of_the_page_is_what_is_said() -> None:
    spoken = conversation()
    assert sum(way == ">" for way, _ in spoken) > 5
    with run_server(make_dealer=lambda: hexholm.Scripted(["dice 4 6", *["dice 6 6"] * 99])) as url:
        created = new_table(url, options={"edition": "fifth", "setup": "fixed", "first": 0}, seats=BOTS).json
        with open_socket(url, created["table"]["id"], hello=False) as line:
            waiting: list[Any] = []
            for way, message in [*spoken, (">", None)]:
                if way == "<":
                    waiting.append(message)
                    continue
                while waiting:
                    heard = msgspec.json.decode(line.recv(timeout=20))
                    if heard["type"] == "present":
                        continue
                    match = next((example for example in waiting if fits(example, heard)), None)
                    assert match is not None, f"heard {heard}, but the page says {waiting}"
                    waiting.remove(match)
                if message is not None:
                    if "token" in message:
                        message["token"] = created["token"]
                    line.send(msgspec.json.encode(message).decode())


def test_a_message_that_differs_from_the_page_is_noticed() -> None:
    assert fits({"type": "done", "id": "1"}, {"type": "done", "id": "1", "number": 2})
    assert not fits({"type": "done", "id": "1"}, {"type": "done", "id": "2", "number": 2})
    assert fits({"a": [1, REST]}, {"a": [1, 2, 3]})
    assert not fits({"a": [1]}, {"a": [1, 2]})
    assert not fits({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}})
    assert fits({"a": {"b": 1, REST: REST}}, {"a": {"b": 1, "c": 2}})


def tags(union: Any) -> set[str]:
    return {str(kind.__struct_config__.tag) for kind in union.__args__}


def test_the_page_names_every_command_and_message() -> None:
    text = PAGE.read_text(encoding="utf-8")
    missing = [tag for tag in tags(api.Incoming) | tags(api.Outgoing) if f"`{tag}`" not in text]
    assert missing == []


def test_the_type_of_reasons_names_every_refusal_of_the_host() -> None:
    assert get_args(host_refusals.HostReason) == tuple(host_refusals.HOST_REFUSALS)


def test_every_refusal_of_the_host_can_be_said() -> None:
    for why, refusal in host_refusals.HOST_REFUSALS.items():
        slots = dict.fromkeys(re.findall(r"\{(\w+)\}", refusal.text), "x")
        refused = host_refusals.Refusal.because(why, **slots).as_wire("1")
        assert (refused.code, refused.why, refused.values) == (refusal.code, why, slots)
        assert "{" not in refused.message
        assert refused.code in host_refusals.HTTP_STATUS
    assert host_refusals.refusal_sentence("seats_free", {"seats": ("red", "blue")}) == (
        "some seats are still free: red, blue; put bots there, or wait"
    )


def test_a_refusal_of_the_rules_has_its_parameter_as_data_and_a_name_of_its_own() -> None:
    assert not {refusal.name for refusal in REFUSALS} & set(host_refusals.HOST_REFUSALS)
    spelled: dict[str, Any] = {
        "": {},
        "seat": {"seat": "blue"},
        "price": {"price": {"brick": 1, "lumber": 1, "wool": 1, "grain": 1}},
        "supply": {"supply": {"brick": 1}},
        "number": {"number": 1},
        "offer": {"offer": 2},
        "phase": {"phase": "settlement"},
    }
    options = hexholm.options("fifth")
    for number, refusal in enumerate(REFUSALS[1:], 1):
        assert reason_of(refuse_with(number, 1), options).values == spelled[refusal.parameter]
