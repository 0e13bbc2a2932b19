"""Small compiled loops that only a benchmark needs."""

from __future__ import annotations

from typing import Any

from hexholm.rules.compilation.kernels import entry
from hexholm.rules.encoding.structs import State

SIZE = State.size


@entry
def copy_back_and_forth(a: Any, b: Any, n: int) -> int:
    """Copy a state 2n times, in the way the core copies states; what is returned depends on every copy."""
    for k in range(n):
        a[k % SIZE] += 1
        for j in range(SIZE):
            b[j] = a[j]
        b[(k + 7) % SIZE] += 1
        for j in range(SIZE):
            a[j] = b[j]
    checksum = 0
    for j in range(SIZE):
        checksum += a[j]
    return checksum
