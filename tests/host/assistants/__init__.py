"""Assistants at tables, with the library's own client over HTTP and stdio."""
