"""The gallery and the contact sheet: every family of tricks, each beside its honest control."""
