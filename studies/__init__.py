"""Studies of the library itself, in the source tree and not in the wheel: nothing in `veridical` imports them."""
