"""Pictures and clips: decoding, drawing, writing, sampling, derived media."""
