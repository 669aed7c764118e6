"""What the galleries of suites share: the page around their plates, their folder, and contact sheets."""
