"""The naive twin: a slow, plain engine that is the specification in code, written from the rule catalogue alone."""
