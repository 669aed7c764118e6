"""People's labels: which steps of a reply are right, and which errors failed replies have."""
