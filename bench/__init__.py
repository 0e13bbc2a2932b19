"""Benchmarks: `make bench` measures, results.md keeps what was measured."""
