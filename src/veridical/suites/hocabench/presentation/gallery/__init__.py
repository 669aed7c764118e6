"""The gallery and the contact sheet: every event in each of its courses."""
