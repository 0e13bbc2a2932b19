"""What the books say of every edition (edition_table.yaml): expectations that do not come from Hexholm's own data."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import yaml

_TEXT: Final = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
EDITION_TABLE: Final[dict[str, dict[str, Any]]] = {
    name: values for name, values in yaml.safe_load(_TEXT).items() if name != "common"
}


def editions_with(**values: object) -> tuple[str, ...]:
    """The editions that have, or offer among others, all these values: `editions_with(phases="separate")`."""

    def fits(said: object, value: object) -> bool:
        return said == value or (isinstance(said, list) and value in said)

    return tuple(
        name for name, entry in EDITION_TABLE.items() if all(fits(entry[key], value) for key, value in values.items())
    )


WITH_A_ROAD_LIMIT: Final = tuple(name for name, entry in EDITION_TABLE.items() if entry["road_limit"] is not None)
