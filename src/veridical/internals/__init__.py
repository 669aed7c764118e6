"""What was read from the inside of a model, as tables: read-outs, patched runs, maps of tokens. No model is needed."""
