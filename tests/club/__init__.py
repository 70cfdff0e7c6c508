"""Tests of what a club ledger means and how it is kept."""
