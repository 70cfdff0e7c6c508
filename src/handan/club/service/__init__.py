"""What can be asked of a club and changed in it, and by whom, for pages, calls and programs alike.

Nothing here knows requests, forms or answers. `looking` is what somebody sees; the other modules hold the operations,
each with the role that it needs: called with who acts, an operation returns a `Change`, to be looked at or written.
"""
