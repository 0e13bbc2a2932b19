"""The protocol described as data: JSON Schema in `schemas.py`, all of REST as OpenAPI in `openapi.py`.

Begin with `openapi.py`. REST serves it, and `tools/generated` writes pages and types from it.
"""
