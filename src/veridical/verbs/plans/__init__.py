"""What a run would take and send, before anything is sent."""
