"""The club server: pages and programming interface over the stored ledger."""
