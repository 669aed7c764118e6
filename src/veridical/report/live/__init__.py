"""The page that shows a run while it goes on."""
