"""Tests of the pages and calls of the club server."""
