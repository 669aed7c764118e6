"""`python -m veridical.cli`."""

from veridical.cli import main

main()
