"""Numbers in, numbers out: loops and solvers without names, dates or exceptions."""
