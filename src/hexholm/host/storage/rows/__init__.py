"""Rows as plain functions within a transaction, for the server and for programs beside it alike.

`hexholm admin`, a restore and the repositories import this.
"""
