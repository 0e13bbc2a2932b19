"""Tests of the almanac: every entry, in every edition and language."""
