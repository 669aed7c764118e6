"""Studies of VI-Probe: its learned observers (`training`), and how often its statistics are right (`validation`)."""
