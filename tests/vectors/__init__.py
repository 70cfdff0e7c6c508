"""Known answers, kept as data: `python -m tests.vectors PATH…` runs every vector file under the paths.

A vector file is JSON with a text `system` and a list `cases`, each with `name`, `function`, `inputs`, `expected` and
`tolerance` (largest accepted absolute difference; 0 means exact, floats at 1e-9). `systems` names the systems of the
package whose formulas its functions are. To add a family of vectors, add a
module to `tests/vectors/adapters` whose `FAMILIES` say how their files are known and what computes each function.
"""
