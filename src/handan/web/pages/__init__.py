"""The pages: server-rendered, complete without scripts."""
