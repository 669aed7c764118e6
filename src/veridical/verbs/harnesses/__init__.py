"""What other evaluation harnesses and viewers read: sets in their formats, and runs as logs."""
