"""Would the rule tests notice a wrong rule? `python -m tools.mutants`: small faults in the core, one at a time.

A *mutant* is the core with one small fault: a comparison moved, a constant one off, a statement left out. It is
*killed* when a test fails, or takes far longer than it should. Places are found with `ast`; the fault is spliced into
the text, so the rest of the file stays as it is. A mutant is named `file:line:column:operator`; the operators:

    </<=  ==/!=  +/-  &/|  <</>>  and/or  min/max  true/false    one operator, function or truth value for another
    +1  -1                   a number one off             range+1  range-1   a bound of a range one off
    not                      a condition turned round     swap               the branches of if and else exchanged
    never                    a condition that never holds, where there is an else or elif
    strip                    `-`, `~` or `not` left out   drop               a statement left out
    return+1  return0  return-not                         another number or truth value returned

What counts as a rule test: a test in tests/rules with a rule mark, and tests/core/test_roads.py. They run interpreted.
A first run notes which tests reach which block of the core and how long they take. A mutant is then shown only to the
tests that reach its block, quick ones first, up to the first that fails; one in code that runs on import is shown to
all. A control, the core without a fault, must pass all tests in the same order.

Every mutant runs in a process of its own, forked before the core is imported, with its own copy of src/. Results lie in
the folder `--resume`; a run goes on where the last one stopped. A changed core drops them all; changed tests drop the
survivors, and those whose killer changed. Survivors that no test can tell from the original are listed, with the
reason, in equivalent_mutants.txt. Ends with 1 when fewer than 90 % are killed or a survivor is not listed there.
"""
