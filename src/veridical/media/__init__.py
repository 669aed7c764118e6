"""Pictures and clips: drawn, encoded, decoded, and hashed."""
