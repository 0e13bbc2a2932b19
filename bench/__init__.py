"""Benchmarks: `make bench` measures, results.md keeps what is true now, history.md the way there."""
