"""The stored ledger of a club: entries that are only ever added, the state they fold to, and who may write."""
