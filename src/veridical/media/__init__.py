"""Pictures and clips: decoding, drawing, writing, sampling, and what is derived from them."""
