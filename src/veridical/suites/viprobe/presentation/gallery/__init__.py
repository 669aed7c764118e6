"""The gallery and the contact sheet: every case as it looks."""
