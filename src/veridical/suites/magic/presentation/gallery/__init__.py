"""The gallery and the contact sheet: every noun in each of its looks, and scenes of them."""
