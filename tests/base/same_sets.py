"""Sets that are to be the same, whoever drew them."""

import veridical


def assert_same_set(made, other):
    """Asserts that two sets have the same rows and pixels, and the first the files that it says it wrote.

    The rows have the hash of the pixels of each picture. Compressors may pack the same pixels in other bytes.
    """
    mine, theirs = ({**each.manifest, "media_sha256": ""} for each in (made, other))
    assert mine == theirs
    assert veridical.check(made, workers=1).failed == []
