"""`python -m studies.hocabench`: the same observers on drawn and on rendered clips of the same sub-types."""

from __future__ import annotations

from studies.hocabench.commands import main

if __name__ == "__main__":
    main()
