"""What every system is made of: its interface, its settings, the schedule of a replay, forecasts and fair terms."""
