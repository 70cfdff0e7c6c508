"""The programming interface: everything that the pages can do."""
