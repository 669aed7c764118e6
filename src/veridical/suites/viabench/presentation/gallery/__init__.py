"""The gallery and the contact sheet: every puzzle as it looks."""
